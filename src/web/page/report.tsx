import { answerFromContent, inlinedContent } from './inlined-content.ts';
import { mount } from './mount.tsx';

// A comparison or a simulation: all answers are in the file.
answerFromContent(await inlinedContent());
mount();
