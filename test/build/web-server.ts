import { request } from 'node:http';
import type { TlsFiles } from '../../src/serving/tls-files.ts';
import type { Subject } from '../../src/web/analysis/subject.ts';
import { Dashboard } from '../../src/web/server/dashboard.ts';
import type { DashboardSource } from '../../src/web/server/dashboard-source.ts';
import { admitToken } from '../../src/web/server/guard.ts';
import type { PageFiles } from '../../src/web/server/page-files.ts';
import { jsonContent } from '../../src/web/server/reply.ts';
import { snapshotSource } from '../../src/web/server/snapshot-source.ts';
import { WebServer } from '../../src/web/server/web-server.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Without the real page, which takes time to bundle. */
const PAGE: PageFiles = {
  html: { ...jsonContent('page', 'page'), type: 'text/html' },
  script: { ...jsonContent('script', 'script'), type: 'text/javascript' },
  style: { ...jsonContent('style', 'style'), type: 'text/css' },
};

interface Sketch {
  readonly address?: string;
  readonly token?: string;
  readonly tls?: TlsFiles;
  readonly page?: PageFiles;
  /** One that is free unless told otherwise. */
  readonly port?: number;
}

/** A server over this source. */
export async function startServer(
  source: DashboardSource,
  { address, token, tls, page = PAGE, port = 0 }: Sketch = {},
) {
  const dashboard = new Dashboard(source);
  const server = new WebServer(dashboard, page, {
    address,
    tls,
    admit: token === undefined ? undefined : admitToken(token),
  });
  const url = new URL(await server.listen(port));
  return {
    url,
    dashboard,
    close: async () => {
      await server.close();
      await dashboard.close();
    },
  };
}

export function fileSource(subject: Subject): DashboardSource {
  return snapshotSource(subject, { name: 'test.json', notices: [], compat: false, settings: [] });
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As given, path and headers included: fetch would tidy them up. */
export function send(url: URL, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: url.hostname, port: url.port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
