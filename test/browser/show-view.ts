// Saves a picture of one view: node test/browser/show-view.ts <route> <file.png> [--size 1440x900] [--dark] [-f snapshot | --demo | --url http://…]
import { parseArgs } from 'node:util';
import { startDecant } from '../build/served.ts';
import { openBrowser } from './open-browser.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', short: 'f', default: 'examples/forty-nodes.json.gz' },
    demo: { type: 'boolean', default: false },
    url: { type: 'string' },
    size: { type: 'string', default: '1440x900' },
    dark: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    wait: { type: 'string', default: '500' },
  },
});
const [route = '/', picture = 'view.png'] = positionals;
const [width, height] = values.size.split('x').map(Number);
const served =
  values.url === undefined
    ? await startDecant(values.demo ? ['demo', '--speed', '10m'] : ['serve', '-f', values.file])
    : { url: values.url, stop: async () => {} };
const browser = await openBrowser();
try {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: values.dark ? 'dark' : 'light',
  });
  page.on('console', (message) => console.log(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`error: ${error.message}`));
  await page.goto(new URL(route, served.url).href);
  await page.waitForFunction(
    () => /\S/.test(document.body.innerText) && !/Loading |Looking for|Pricing…/.test(document.body.innerText),
  );
  await page.waitForTimeout(Number(values.wait));
  await page.screenshot({ path: picture, fullPage: values.full });
  console.log(picture);
} finally {
  await browser.close();
  await served.stop();
}
