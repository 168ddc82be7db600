// Loaded before a program (node --import): its clock is off by CLOCK_OFFSET_MS, as that of a machine without NTP may be.
// What only counts time (performance.now, timers) goes on as it should, as it would there.
const offsetMs = Number(process.env.CLOCK_OFFSET_MS);
const RightDate = Date;

class WrongDate extends RightDate {
  constructor(...given: [] | [number | string]) {
    super(given.length === 0 ? WrongDate.now() : given[0]);
  }

  static override now(): number {
    return RightDate.now() + offsetMs;
  }
}

Object.defineProperty(globalThis, 'Date', { value: WrongDate, writable: true, configurable: true });
