import { clear, emptyRow, type Fields, type Leaf, type Row, type Shape } from './json-shape.ts';
import { RememberedText } from './remembered-text.ts';

/** Keys beyond these are not remembered one by one: annotations have unlimited keys. */
const MOST_UNREAD_KEYS = 48;
/** List elements from here on share one plan. */
const MOST_ELEMENT_PLANS = 8;
/** Guesses kept per place for what comes next. */
const MOST_TURNS = 4;

/**
 * A place in a shape: what to do there, and what came next last time.
 *
 * Objects of a kind are similar: after "namespace" comes `,"uid":`, and the tolerations are those of the previous pod.
 * So each place remembers the text that followed it and the place it led to; if the text repeats, one comparison
 * replaces scanning a key and looking it up. This is exact: a text is only remembered after it was read in full, and
 * JSON that is equal byte for byte has the same meaning.
 */
export class Place {
  readonly op: Leaf['op'] | 'fields' | 'rows' | 'skip' | 'end';
  /** Dotted, for messages. */
  readonly path: string;
  readonly column: number;
  readonly members: FieldsPlan | undefined;
  readonly elements: ElementPlans | undefined;
  readonly shorten: Leaf['shorten'];
  /** What may come next, likeliest first. */
  readonly turns: Turn[] = [];
  /** The last skipped value; disabled where values do not repeat. */
  readonly lastText = new RememberedText();
  misses = 0;
  /** Entry of the last shared value. */
  lastEntry = -1;

  constructor(op: Place['op'], path: string, member?: Shape) {
    this.op = op;
    this.path = path;
    this.column = member === undefined || member.op === 'fields' ? 0 : member.column;
    this.members = member?.op === 'fields' ? new FieldsPlan(member, path) : undefined;
    this.elements = member?.op === 'rows' ? new ElementPlans(member.element, path) : undefined;
    this.shorten = member?.op === 'shared' ? member.shorten : undefined;
  }

  /** The text at start…end led to `place`. */
  remember(place: Place, view: DataView, start: number, end: number): void {
    const turn = this.turns.length < MOST_TURNS ? new Turn() : (this.turns.pop() as Turn);
    turn.glue.remember(view, start, end);
    turn.place = place;
    this.turns.unshift(turn);
  }
}

/** The text between two values, and the place it leads to. */
class Turn {
  readonly glue = new RememberedText();
  place: Place | undefined = undefined;
}

/** The places of an object's fields. */
export class FieldsPlan {
  readonly start: Place;
  readonly end: Place;
  private readonly path: string;
  private readonly byKey = new Map<string, Place>();
  private readonly others: Place;
  private unread = 0;

  constructor(shape: Fields, path: string) {
    this.path = path;
    this.start = new Place('skip', path);
    this.end = new Place('end', path);
    this.others = new Place('skip', path);
    for (const [key, member] of shape.members) {
      this.byKey.set(key, new Place(member.op, path === '' ? key : `${path}.${key}`, member));
    }
  }

  placeOf(key: string): Place {
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    if (this.unread >= MOST_UNREAD_KEYS) return this.others;
    this.unread++;
    const place = new Place('skip', this.path);
    this.byKey.set(key, place);
    return place;
  }
}

/** One plan per index: the second container resembles other pods' second containers more than the first. */
export class ElementPlans {
  private readonly plans: FieldsPlan[] = [];
  private readonly rows: Row[] = [];
  /** The list's rows; like the object's own row, valid until the next object is read. */
  private readonly list: Row[] = [];
  private readonly shape: Fields;
  private readonly path: string;

  constructor(shape: Fields, path: string) {
    this.shape = shape;
    this.path = path;
  }

  at(index: number): FieldsPlan {
    const i = Math.min(index, MOST_ELEMENT_PLANS - 1);
    while (this.plans.length <= i) this.plans.push(new FieldsPlan(this.shape, `${this.path}[${this.plans.length}]`));
    return this.plans[i];
  }

  /** The list, emptied. Setting its length would be a call into the runtime. */
  emptyList(): Row[] {
    const { list } = this;
    while (list.length > 0) list.pop();
    return list;
  }

  /** An empty row, added to the list. */
  addRow(): Row {
    const index = this.list.length;
    if (index === this.rows.length) this.rows.push(emptyRow(this.shape));
    const row = this.rows[index];
    clear(row);
    this.list.push(row);
    return row;
  }
}
