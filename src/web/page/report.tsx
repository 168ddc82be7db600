import { answerFromContent, inlinedContent } from './inlined-content.ts';
import { mount } from './mount.tsx';

// A comparison or a simulation: everything was worked out when the file was made.
answerFromContent(await inlinedContent());
mount();
