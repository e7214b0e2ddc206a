/** The page's own texts, in English and in the languages of `words.*.json`; all texts about a game come from the server. */

/** @type {Object<string, Object<string, string>>} */
const WORDS = {
  en: {
    standings: "Standings", party_table: "Table {n}", party_watch: "Watch", party_nobody: "nobody", party_player: "Player {n}", party_pair: "Pair {n}", party_team: "Team {n}", party_side_of: "{who}'s side", party_cut: "after a cut: {cut}", party_game: "Game {n} of {of}.", party_over: "The tournament is over.", party_ended: "The game is over.", party_stopped: "Table {n} has stopped the game: all cease playing.", party_waits: "The other tables play on.", party_next: "To the next game", tournament_over: "The tournament is over.",
    change_game: "Change this game", write_game: "Write a game", save_all: "Save all", restore_all: "Restore", licences: "Licences", documentation: "Documentation",
    tagline: "Any card game, played from its rule file.",
    play: "Play", set_table: "Set a table", go_on: "Go on", games: "Games", seek: "Find a game", favourites: "Favourites", favourite: "{title} is a favourite", played_last: "Played last", own_files: "Your files", kind_tricks: "Tricks", kind_shedding: "Out of cards first", kind_rummy: "Rummy", kind_vying: "Betting", kind_patience: "Patience", kind_collecting: "Collecting", kind_fishing: "Fishing", kind_banking: "Against the bank", kind_together: "Together", kind_adding: "Counting", kind_building: "Building", kind_bidding: "Bidding", your_tables: "Your tables", forget: "Forget this table",
    lesson: "Show it", seeking_lesson: "Looking for a position in which this rule decides …", lesson_cards: "Which cards may be played here, and why not the others? Click on a card.", lesson_action: "Why is this not allowed here: {what}?", lesson_follows: "{who}: {what}. What follows?", lesson_begins: "So a match begins. What has happened?", lesson_answer: "Answer", lesson_may: "This card can be played.", no_such_lesson: "No position in which this rule decides has come up in time. Ask again: the search goes on from here.",
    deal: "Deal", deal_any: "as it comes", deal_winnable: "can be won", deal_easy: "easy to win", deal_hard: "hard to win", seeking_deal: "Looking for such a deal …", no_such_deal: "No such deal was found in time. Ask again: what has been looked at is kept.",
    players: "Players", player_1: "1 player", seats_title: "Seats", options: "Options", variants: "Variants", you: "You", person: "Someone else, by link",
    your_name: "Your name", seat: "Seat {n}", default: "usual", reckoned: "Usual: {what}", unusual: "{n} (unusual)", none: "none", yes: "yes", no: "no",
    upload: "Play a rule file of your own", finished: "finished", watching: "You are watching.", join: "Sit down",
    invited: "A seat is kept for you: {title}.", invited_by: "A seat is kept for you: {title}, with {who}.", join_text: "Take it, and this browser keeps the seat: nobody else can open it.",
    analysis: "Analysis", analysing: "Looking at choice {n} of {of} …", judged_good: "{n} of {of} choices were as good as the best that was found.", was_better: "{better} was better, by {n} of 100", was_better_by: "{better} was better, by about {n} points", analysis_text: "Judged by a search that knew only what this seat could see. Click on a line to see the table at that choice.",
    to_whom: "to {who}", details: "Details", guide: "Explain the rules in a first match", hint_same: "The first {n} are as good as equal: they differ by less than chance explains.", hint_all_same: "It makes no difference: these differ by less than chance explains.",
    undo: "Undo", least: "least", half_pot: "half the pot", whole_pot: "the pot", all_of_it: "all", react: "React", plays_again: "{who} plays again: a seat waits for you.", sound: "Sound", sealed: "The deal", sealed_text: "Before the first card the server told every browser this seal of the seed by which it deals. Now it tells the seed. Whoever has both can work out that they belong together.", seal: "Seal", seed: "Seed", seal_fits: "They belong together: the deal was settled before the match.", seal_differs: "They do not belong together: this match was not dealt as it was settled.", seal_late: "This browser has not seen the seal before the match was over.", record: "{played} played, {won} won", record_best: "best {best}", record_streak: "{n} in a row", record_server: "On this server {n} played, {won} of {people} people won", verify: "Verify a deal", verify_text: "Enter what was told before the match and after it. It is worked out in this page; nothing is sent.", table_id: "Table", offer_seat: "Let somebody take the seat of {who}", no_such_seat: "This seat cannot be given to somebody else.", redo: "Redo", nothing_to_redo: "There is nothing to do again.", hint: "Hint", rules: "Rules", log: "Log", menu: "Menu", settings: "Settings", scores: "Scores", links: "Invite",
    replay: "Replay", share: "Share", again: "Play again", what_if: "What if …", lobby: "All games", help: "Keys", close: "Close", back: "Back to the table",
    decline: "Pass", confirm: "Do it", clear: "Clear", choose: "Choose", amount: "Amount", or: "or", cards_n: "{n} cards", card_1: "1 card",
    playable: "can be picked", picked: "picked", hidden: "hidden card", empty: "empty",
    connection_lost: "The connection is lost; trying again …", connected: "Connected again.", no_server: "The server cannot be reached.",
    late: "That came too late: the table has moved on.", not_your_turn: "It is not your turn.", over: "The match is over.",
    no_such_choice: "That cannot be chosen now.", no_such_number: "That number cannot be said.", nothing_to_undo: "There is nothing to take back.",
    undo_refused: "{who} would rather not take it back.", undo_asked: "{who} would like to take a move back.", undo_waiting: "Waiting for the others to agree …",
    agree: "Agree", refuse: "Rather not", bad_message: "That was not understood.", no_such_table: "There is no such table, or the link has been used up.",
    no_such_game: "There is no such game.", bad_rules: "The rules cannot be played:", rules_changed: "The rules have changed since this match was played:",
    too_many_tables: "There are too many tables here.", not_stored: "It could not be stored, so that nothing has changed:", own_seed: "With other people the server shuffles: a seed can be chosen only by who plays alone.", too_often: "That is too often; wait a moment.", bot_failed: "{who} could not think and plays what comes first.", no_advice: "No advice can be had just now.", not_over: "Not before the match is over.",
    full: "There is no room left at this table.", no_upload: "Rule files cannot be sent to this server.", too_large: "The file is too large.", too_many_files: "There are too many files here.",
    elsewhere: "This page belongs to another server.", no_such_bot: "There is no such bot.", seats: "That many cannot play.",
    level_greedy: "greedy", level_search: "search", level_easy: "easy", level_medium: "medium", level_hard: "hard", level_random: "random", level_first: "first move", bot_of: "bot: {level}",
    hint_text: "The bot ({bot}) would: {what}", hint_choice: "choice", hint_tried: "tries of {n}", hint_value: "worth of 100", why_not: "Why not?", nothing_wrong: "That can be done; pick it together with something else.", not_asked: "Nothing can be done with this card now.", rule: "Rule {id}",
    otherwise: "It would be allowed otherwise:", because: "Because",
    rulebook: "{title}: rules", in_force: "Options in force",
    edit_save: "Save", edit_problems: "Problems", edit_old_table: "The table is that of the last text that could be played.", edit_beside: "The table", edit_answer: "What was asked", edit_tabs: "What is shown", edit_tab_table: "Table", edit_tab_test: "Tests", edit_tab_simulate: "Simulate", edit_tab_rules: "Rulebook", edit_tab_graph: "Graph", edit_line: "Try a line", edit_line_like: "Try a line at this table: count of hand", edit_try: "Try", edit_text: "The rules", edit_playing: "Playing …", edit_working: "Working …", edit_error_1: "1 error", edit_errors: "{n} errors", edit_warning_1: "1 warning", edit_warnings: "{n} warnings", edit_fine: "no problems", edit_checking: "checking …", edit_unsaved: "not saved", edit_at_line: "line {n}", edit_mend: "Mend", has_errors: "The text has errors; they are told below it.", changed_on_disk: "{file} was changed by another program; it is not written over. Copy your text and load the page again.", edit_course: "The course of the game", edit_no_examples: "There are no examples beside this file.", edit_passed: "{passed} passed, {failed} failed", edit_simulated: "{n} games by random bots in {s} s",
    theme: "Colours", theme_auto: "as the device", theme_light: "light", theme_dark: "dark", motion: "Moving cards", motion_auto: "as the device", on: "on", off: "off",
    forced: "Play forced moves by themselves", confirm_setting: "Ask before every move", timer: "Seconds to answer \"Stop?\"", timer_off: "no limit", language: "Language", speed: "Speed",
    speed_none: "at once", speed_fast: "fast", speed_usual: "at ease", speed_slow: "slow", name: "Your name",
    invite_seat: "Link to the seat of {who}", invite_watch: "Link for spectators", invite_watch_text: "Any number of people can open it; they see no hand.", copy: "Copy", copied: "Copied.", invite_text: "Send each player a link. It opens the seat once; after that only that browser can.",
    away: "away", bot: "bot", watchers_1: "1 spectator", watchers: "{n} spectators", waiting_for: "not taken yet",
    replay_of: "{title}: seen again", as_seen_by: "As seen by", everyone: "a spectator", all_hands: "everybody: all hands", step: "Choice {at} of {n}", run: "Run and stop", first: "To the beginning", previous: "One back", next: "One on", last: "To the end", play_on: "Play from here",
    share_text: "Whoever has this link can see the whole match again, from every seat.", save_file: "Save as a file", shared_by: "Share the match",
    won: "The match is over", total: "Total", round: "Round", nothing_happened: "Nothing has happened yet.",
    keys_text: "Tab and the arrows go from card to card, Enter or Space picks, Escape clears. U takes back, Y does it again, H asks for a hint, R opens the rules, L the log, S the scores, P passes, ? this list.",
    no_language: "The file of this game does not speak your language; it is shown in its own.", broken: "The table cannot go on:", drag: "",
    score: "Score", low_wins: "the lowest score wins", high_wins: "the highest score wins", loading: "Setting the table …", hand: "Hand",
    new_seat_links: "Seats wait for players: send them their links.", invite_now: "Show the links", made_forced: "Made by itself: {what}", deal_again: "New match", what_now: "What will you do?", round_ended: "How round {n} ended", next_round: "Next round", last_trick: "Last trick", offered_to: "{from} offers {to}", suits: "Colours of suits", suits_two: "two", suits_four: "four", index: "Corners of cards", index_usual: "usual", index_large: "large", back_of_cards: "Backs of cards", back_blue: "blue", back_red: "red", back_green: "green", finish: "Finish by itself", staked: "with all stakes", trick_1: "1 trick", tricks_n: "{n} tricks", calls: "Calls",
  },
};

let language = "en";

/** The languages in which this page can speak, each with what it calls itself. @returns {[string, string][]} */
export function listLanguages() {
  const found = document.querySelector('meta[name="languages"]')?.getAttribute("content")?.split(" ") ?? ["en"];
  return found.map((code) => [code, new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code]);
}

/** Fetch the words of a language, if there are any that are not known yet. @param {string} wanted */
export async function learn(wanted) {
  if (wanted in WORDS || !listLanguages().some(([code]) => code === wanted)) return;
  const answer = await fetch(new URL(`words.${wanted}.json`, import.meta.url)).catch(() => null);
  if (answer?.ok) WORDS[wanted] = await answer.json();
}

/** Speak a language that has been learnt; of others it is English. @param {string} chosen */
export function speak(chosen) {
  language = chosen in WORDS ? chosen : "en";
  document.documentElement.lang = language;
}

/**
 * Format a phrase with values for its placeholders.
 *
 * @param {string} phrase
 * @param {Object<string, string|number>} [parts]
 */
export function say(phrase, parts = {}) {
  const found = WORDS[language][phrase] ?? WORDS.en[phrase] ?? phrase;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in parts ? String(parts[name]) : whole));
}

/** The display name of a bot; a bot unknown here keeps its own. @param {string} name */
export function sayLevel(name) {
  return `level_${name}` in WORDS.en ? say(`level_${name}`) : name;
}

/** The results of a game in this browser. @param {import("./records.js").Record|null} record */
export function sayRecord(record) {
  if (!record) return "";
  const parts = [say("record", { played: record.played, won: record.won })];
  if (record.best !== null) parts.push(say("record_best", { best: record.best }));
  if (record.streak > 1) parts.push(say("record_streak", { n: record.streak }));
  return parts.join(" · ");
}

/** @param {number} number */
export function cards(number) {
  return number === 1 ? say("card_1") : say("cards_n", { n: number });
}

/** The message for a refusal. @param {{why: string, detail?: string, who?: string}} refused */
export function sayRefusal(refused) {
  const told = say(refused.why, { who: refused.who ?? "" });
  return refused.detail && ["bad_rules", "rules_changed", "not_stored"].includes(refused.why) ? `${told}\n${refused.detail}` : told;
}
