export const GIB = 2 ** 30;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const NOW_MS = Date.UTC(2026, 7, 20, 12);
