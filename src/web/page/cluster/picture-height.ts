import { useEffect, useState } from 'preact/hooks';

/** Share of the first screen. */
const SHARE = 0.62;
const LEAST = 260;

export function usePictureHeight(): number {
  const [height, setHeight] = useState(room());
  useEffect(() => {
    const measure = () => setHeight(room());
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, []);
  return height;
}

function room(): number {
  return Math.max(LEAST, Math.round(SHARE * innerHeight));
}
