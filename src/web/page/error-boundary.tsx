import { Component, type ComponentChildren } from 'preact';

interface Properties {
  readonly children: ComponentChildren;
}

interface State {
  readonly message?: string;
}

/** Keeps a failing view from breaking the whole page. */
export class ErrorBoundary extends Component<Properties, State> {
  override state: State = {};

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ message: error instanceof Error ? error.message : String(error) });
  }

  override render() {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return (
      <div class="empty" role="alert">
        <h1 class="plain">This view failed</h1>
        <p>{message}</p>
        <p>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </div>
    );
  }
}
