import { generateKeyPairSync, sign } from 'node:crypto';

interface Pem {
  readonly cert: string;
  readonly key: string;
}

/** A new certificate for 127.0.0.1, signed by itself, in DER by hand: Node makes none, and not every machine has openssl. */
export function selfSigned(commonName: string): Pem {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(commonName)))));
  const algorithm = der(0x30, oid('2a8648ce3d040302'));
  const validity = der(0x30, time('20200101000000Z'), time('20990101000000Z'));
  const address = der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])));
  const alternative = der(0x30, oid('551d11'), der(0x04, address));
  const body = der(
    0x30,
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, alternative)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const text = der(0x30, body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]));
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}
