import { allowsAbsence, canonicalText, type Requirement } from './requirement.ts';
import { compatible, intersectAll, NONE_OPEN, type Requirements, UNRESTRICTED } from './requirements.ts';

/** A handle to known requirements; equal requirements have equal handles. */
export type RequirementsId = number;

export const INCOMPATIBLE = -1;

/** Handles stay below this, so that a pair of them is one exact number. */
const PAIR = 2 ** 24;

/**
 * All requirements of a cluster's simulations, each once, with a cache of every step between them. A claim that takes a
 * pod narrows from one set to another; clusters have few distinct sets, so almost every step is one lookup and the
 * algebra stays off the hot path.
 */
export class RequirementSpace {
  readonly open: ReadonlySet<string>;
  /** Keys of which some requirement accepts the label's absence. */
  readonly lackable = new Set<string>();
  private readonly sets: Requirements[] = [];
  private readonly byText = new Map<string, RequirementsId>();
  private readonly narrowedOpen = new Map<number, RequirementsId>();
  private readonly narrowedClosed = new Map<number, RequirementsId>();
  private readonly intersections = new Map<number, RequirementsId>();

  /** `open`: keys for which a new node may take any value. */
  constructor(open: ReadonlySet<string>) {
    this.open = open;
    this.intern(UNRESTRICTED);
  }

  /** The handle of no requirements. */
  static readonly unrestricted: RequirementsId = 0;

  intern(requirements: Requirements): RequirementsId {
    const text = [...requirements.values()].map(canonicalText).sort().join('\u0003');
    let id = this.byText.get(text);
    if (id === undefined) {
      id = this.sets.push(requirements) - 1;
      this.byText.set(text, id);
      for (const r of requirements.values()) if (allowsAbsence(r)) this.lackable.add(r.key);
    }
    return id;
  }

  get(id: RequirementsId): Requirements {
    return this.sets[id];
  }

  require(id: RequirementsId, key: string): Requirement | undefined {
    return this.sets[id].get(key);
  }

  /** `from`, further restricted to `wanted`; INCOMPATIBLE if they contradict. For new nodes. */
  narrow(from: RequirementsId, wanted: RequirementsId): RequirementsId {
    return this.step(this.narrowedOpen, from, wanted, this.open);
  }

  /** As `narrow`, for an existing node: labels that it lacks stay absent. */
  narrowExisting(from: RequirementsId, wanted: RequirementsId): RequirementsId {
    return this.step(this.narrowedClosed, from, wanted, NONE_OPEN);
  }

  /** The intersection, empty or not. */
  intersect(a: RequirementsId, b: RequirementsId): RequirementsId {
    const pair = a * PAIR + b;
    let id = this.intersections.get(pair);
    if (id === undefined) {
      id = this.intern(intersectAll(this.sets[a].values(), this.sets[b].values()));
      this.intersections.set(pair, id);
    }
    return id;
  }

  private step(
    memo: Map<number, RequirementsId>,
    from: RequirementsId,
    wanted: RequirementsId,
    open: ReadonlySet<string>,
  ): RequirementsId {
    if (wanted === RequirementSpace.unrestricted) return from;
    const pair = from * PAIR + wanted;
    let id = memo.get(pair);
    if (id === undefined) {
      id = compatible(this.sets[from], this.sets[wanted], open) ? this.intersect(from, wanted) : INCOMPATIBLE;
      memo.set(pair, id);
    }
    return id;
  }
}
