/** Sounds made by code, off until they are wanted: cards, one's own turn, the end. */

import { settings } from "./settings.js";

/** @type {AudioContext|null} */
let audio = null;

/** The tones of an occasion: frequency in hertz, when it begins and how long it lasts, in seconds. */
const TONES = { turn: [[660, 0, 0.12], [880, 0.1, 0.16]], scored: [[523, 0, 0.1], [659, 0.08, 0.14]], won: [[523, 0, 0.14], [659, 0.13, 0.14], [784, 0.26, 0.14], [1047, 0.39, 0.3]], lost: [[392, 0, 0.2], [330, 0.18, 0.3]], reaction: [[988, 0, 0.08]] };
const LOUD = 0.09, RUSTLE = 0.05, MOST_RUSTLES = 5, APART = 0.07;

function open() {
  if (!settings.sound || document.hidden) return null;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {});
  return audio;
}

/** @param {keyof typeof TONES} occasion */
export function ring(occasion) {
  const on = open();
  if (!on) return;
  for (const [pitch, after, lasts] of TONES[occasion]) {
    const tone = on.createOscillator(), level = on.createGain(), at = on.currentTime + after;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(0, at);
    level.gain.linearRampToValueAtTime(LOUD, at + 0.015);
    level.gain.exponentialRampToValueAtTime(0.001, at + lasts);
    tone.connect(level).connect(on.destination);
    tone.start(at);
    tone.stop(at + lasts);
  }
}

/** The sound of cards put down: short noise, once a card. @param {number} cards */
export function rustle(cards) {
  const on = open();
  if (!on) return;
  for (let card = 0; card < Math.min(cards, MOST_RUSTLES); card += 1) {
    const noise = on.createBufferSource(), soft = on.createBiquadFilter();
    const sound = noise.buffer = on.createBuffer(1, Math.ceil(on.sampleRate * RUSTLE), on.sampleRate), samples = sound.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = (Math.random() * 2 - 1) * LOUD * 2 * (1 - at / samples.length) ** 2;
    soft.type = "bandpass";
    soft.frequency.value = 2400;
    noise.connect(soft).connect(on.destination);
    noise.start(on.currentTime + card * APART);
  }
}
