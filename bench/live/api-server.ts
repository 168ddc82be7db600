/** What a fresh process does for bench/live: an API server on loopback that lists and watches a made-up cluster. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathOf, RESOURCES } from '../../src/live/resource.ts';
import { catalogOf, clusterObjects } from '../generate/cluster.ts';
import { dressPod } from '../generate/dressed-pod.ts';
import type { KubeObject } from '../generate/kube-object.ts';
import { DEFAULTS } from '../generate/parameters.ts';

const [nodes, podsPerNode] = process.argv.slice(2).map(Number);
const parameters = { ...DEFAULTS, nodes, podsPerNode };

/** Objects as JSON by the path of their kind. */
const lists = new Map<string, Buffer[]>(Object.values(RESOURCES).map((resource) => [pathOf(resource), []]));
const pathByKind = new Map<string, string>(Object.values(RESOURCES).map((r) => [r.kind, pathOf(r)]));
for (const object of clusterObjects(parameters, await catalogOf(parameters))) {
  const { apiVersion: _1, kind, ...rest } = object.kind === 'Pod' ? dressPod(object) : object;
  lists.get(pathByKind.get(kind) ?? '')?.push(json(rest));
}

/** As a client sees it who does not ask kubectl: who manages which field is a third of a pod. */
function json(object: Omit<KubeObject, 'apiVersion' | 'kind'>, resourceVersion = '1'): Buffer {
  const fieldsV1 = {
    'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
    'f:spec': {
      'f:containers': {
        'k:{"name":"main"}': {
          '.': {},
          'f:image': {},
          'f:imagePullPolicy': {},
          'f:name': {},
          'f:resources': { 'f:requests': { 'f:cpu': {}, 'f:memory': {} } },
          'f:terminationMessagePath': {},
        },
      },
    },
  };
  const managedFields = ['kube-controller-manager', 'kubelet'].map((manager) => ({
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-08-20T12:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
  }));
  return Buffer.from(
    JSON.stringify({ ...object, metadata: { ...(object.metadata as object), resourceVersion, managedFields } }),
  );
}

const watches = new Map<string, ServerResponse>();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://loopback');
  const objects = lists.get(pathname);
  if (pathname === '/burst') burst(Number(searchParams.get('events')), response);
  else if (objects === undefined) response.writeHead(404).end('{"reason":"NotFound"}');
  else if (searchParams.has('watch')) {
    response.flushHeaders();
    watches.set(pathname, response);
  } else {
    const from = Number(searchParams.get('continue') ?? 0);
    const page = objects.slice(from, from + Number(searchParams.get('limit')));
    const more = from + page.length < objects.length ? String(from + page.length) : '';
    response.write(`{"kind":"List","metadata":{"resourceVersion":"1","continue":"${more}"},"items":[`);
    page.forEach((object, i) => {
      if (i > 0) response.write(',');
      response.write(object);
    });
    response.end(']}');
  }
});

/** Sends this many changes of pods, half of them relevant; the last pod fails, which marks the end. */
function burst(events: number, response: ServerResponse): void {
  const pods = lists.get(pathOf(RESOURCES.Pod)) as Buffer[];
  const watch = watches.get(pathOf(RESOURCES.Pod));
  for (let i = 0; i < events; i++) {
    const pod = JSON.parse(pods[(i * 7) % pods.length].toString());
    pod.metadata.resourceVersion = String(i + 2);
    pod.status.phase = i === events - 1 ? 'Failed' : i % 2 === 0 ? 'Running' : 'Succeeded';
    watch?.write(`${JSON.stringify({ type: 'MODIFIED', object: pod })}\n`);
  }
  response.end('{}');
}

await once(server.listen(0, '127.0.0.1'), 'listening');
const bytes = [...lists.values()].flat().reduce((sum, { length }) => sum + length, 0);
const pods = lists.get(pathOf(RESOURCES.Pod))?.length;
process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port, bytes, pods })}\n`);
