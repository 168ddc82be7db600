// npm run test:e2e:tools: builds what is absent. Tests that need a tool are skipped without it.
import { buildTool, builtTool, TOOLS } from './optional-tool.ts';

for (const tool of TOOLS) {
  if (builtTool(tool) !== undefined) continue;
  process.stderr.write(`building ${tool} (once) …\n`);
  const startedMs = performance.now();
  await buildTool(tool);
  process.stderr.write(`${tool} built in ${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`);
}
