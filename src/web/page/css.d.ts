/** Style sheets are bundled with the script. */
declare module '*.css';
