// Makes image/, the folder that the Dockerfile copies: npm run image
import { join } from 'node:path';
import { makeProductionFolder } from './production-folder.js';

makeProductionFolder(join(import.meta.dirname, '..', 'image'));
