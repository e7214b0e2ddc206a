/**
 * Types of the server's JSON data: the classes of `hoyle.play.table.model`.
 *
 * @typedef {{seat: number, name: string, you: boolean, side: number, score: number, turn: boolean, retired: boolean,
 *   marks: string[], counts: Fact[]}} Player
 * @typedef {{id: string, name: string, label: string, short: string, owner: number|null, pile: number,
 *   form: "fan"|"row"|"column"|"pile"|"stack", place: "seat"|"centre"|"side", cards: (string|null)[], order: number[],
 *   member: string, laid_by: (number|null)[], marks: string[][],
 *   ring: boolean, unit: number, places: number, parts: number[]}} Zone
 * @typedef {{id: string, name: string, label: string, short: string, owner: number|string|null, amount: number}} Pot
 * @typedef {{name: string, label: string, value: string, owner: number|string|null, seats: number[], counted: boolean, zone: string, by: number|null}} Fact
 * @typedef {{seats: number[], name: string, score: number, before: number}} Side
 * @typedef {{entries: (number|null)[], marks: string[], struck: boolean}} SheetLine
 * @typedef {{columns: string[], lines: SheetLine[][], totals: number[][], scores: number[], teams: number[]}} Sheet
 * @typedef {{sides: Side[], best: string, holes: number, sheet: Sheet|null}} Scores
 * @typedef {{cards: (string|null)[], source: string[], target: string[]}} Move
 * @typedef {{text: string, kind: string, seat: number|null, cards: string[], moves: Move[]}} News
 * @typedef {{kind: string, text: string, word: string, card: string|null, zone: string|null, places: number[],
 *   seat: number|null, attribute: string, value: string}} Item
 * @typedef {{items: number[], keys: number[], low: number, high: number}} Group
 * @typedef {{choice: number, picks: number[][], text: string, number: [number, number]|null, group?: Group|null, chosen?: number[],
 *   note: string, zone: string, moved: Move|null}} Way
 * @typedef {{name: string, label: string, many: boolean, kind: string}} Slot
 * @typedef {{name: string, label: string, text: string, cite: string[], slots: Slot[], ways: Way[], receiver: number|null}} Act
 * @typedef {{turn: number, items: Item[], acts: Act[], decline: number|null, window: boolean}} Menu
 * @typedef {{winners: number[], verdict: string, reason: string}} Result
 * @typedef {{game: string, title: string, language: string, seat: number|null, round: number, over: boolean,
 *   turn: number|null, status: string, players: Player[], zones: Zone[], pots: Pot[], facts: Fact[], scores: Scores,
 *   news: News[], menu: Menu|null, result: Result|null}} View
 * @typedef {{attribute: string, value: string, text: string, short: string, glyph: string, colour: string}} Print
 * @typedef {{code: string, text: string, name: string, prints: Print[], note: string}} Face
 * @typedef {{id: string, text: string, place: string, status: string}} Rule
 * @typedef {{game: string, title: string, language: string, faces: Object<string, Face>, zones: Object<string, string>,
 *   rules: Object<string, Rule>, cited: string[]}} Legend
 * @typedef {{name: string, text: string, cite: string[], below: Point[]}} Point
 * @typedef {{title: string, points: Point[]}} Chapter
 * @typedef {{text: string, value: string}} Value
 * @typedef {{text: string, path: string, cite: string[], rules: Rule[], values: Value[], cards: string[], because: string,
 *   otherwise: {path: string, text: string, cite: string[], values: Value[]}[]}} Reason
 *
 * Data about the room, in addition to the view:
 *
 * @typedef {{title: string, game: number, games: number, ended: boolean, over: boolean, stopped_by: number|null,
 *   results: {awarded: number[], cuts: [number, string][][]}[], called: string, standings: [number, number, number][],
 *   labels: Object<string, {title?: string, called?: string}>, kind: string, people: Object<string, string>}} Party
 * @typedef {{player: string, name: string, here: boolean, open?: boolean}} Seated
 * @typedef {{is: string, pause: ""|"step"|"full"|"round", view: View, log: News[], dropped: number, fresh: boolean, seats: Seated[], watchers: number,
 *   undo: {seat: number, ask: boolean, waiting: number[]}|null, can_undo: boolean, can_redo: boolean,
 *   links: {watch?: string, seats?: Object<string, string>}, pace: number, choices: number, broken: string, unstored: string, seed: number|null, party: Party|null}} Shown
 * @typedef {{turn: number, choice: number, number: number|null, bot: string, visits: number, equal: number,
 *   way: {text: string, picks: number[][]}|null,
 *   tried: {choice: number, number: number|null, way: {text: string, picks: number[][]}|null, visits: number, value: number}[]}} Hint
 * @typedef {{name: string, text: string, kind: string, default: string, values: [string, string][], low: number,
 *   high: number, or_none: boolean}} Option
 * @typedef {{name: string, title: string, also: string[], kind: string, about: string, goal: string, usual: [number, number], allowed: [number, number], family: string,
 *   variant: boolean, own: boolean, options?: Option[]}} Game
 */
export {};
