/** What the course consists of, what the reader has done, and where to go on. */

import type { Known } from './search.js';

export interface Lesson {
  name: string;
  title: string;
  file: string;
  stage: number;
  minutes: number[]; // of the lesson and of its exercises; none for an instructor's set
  sheet: string; // the notebook with its exercises
  guesses: [name: string, cell: string][];
  questions: [name: string, title: string, cell: string][];
}

export interface Index extends Known {
  stages: [title: string, afterwards: string][];
  lessons: Lesson[];
  pages: [label: string, file: string][];
  renamed: Record<string, string>;
  browser: boolean; // Python, notebooks and progress are in this browser, and nowhere else
}

export interface Place {
  file: string;
  cell?: string;
}

/** Where the reader goes on: the place, what it is called, and what is done there. */
export interface Ahead extends Place {
  lesson: Lesson;
  title: string;
  about: string;
}

interface Event {
  at: string;
  question: string;
  event: string;
  word?: string;
}

export class Progress {
  readonly guessed = new Set<string>();
  readonly solved = new Set<string>();
  readonly events: Event[];

  constructor(
    readonly lines: string,
    private index: Index
  ) {
    this.events = lines.split('\n').flatMap(line => parsed(line, index.renamed));
    this.events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    for (const one of this.events) {
      if (one.event === 'guess') {
        this.guessed.add(one.question);
      } else if (one.event === 'reset') {
        this.solved.delete(one.question);
      } else if (isSolved(one)) {
        this.solved.add(one.question);
      }
    }
  }

  made(lesson: Lesson): number {
    return lesson.guesses.filter(([name]) => this.guessed.has(name)).length;
  }

  done(lesson: Lesson): number {
    return lesson.questions.filter(([name]) => this.solved.has(name)).length;
  }

  isDone(lesson: Lesson): boolean {
    return this.done(lesson) === lesson.questions.length;
  }

  /** How much of a lesson and its exercises is done, from 0 to 1. */
  share(lesson: Lesson): number {
    const all = lesson.guesses.length + lesson.questions.length;
    return this.isDone(lesson) ? 1 : (this.made(lesson) + this.done(lesson)) / all;
  }

  /** How long the rest of these lessons takes, in minutes. */
  minutesLeft(lessons: Lesson[]): number {
    const rest = (of: number, all: number) => (all ? 1 - of / all : 1);
    const left = (one: Lesson) => {
      const [reading = 0, exercises = 0] = one.minutes;
      const guesses = rest(this.made(one), one.guesses.length);
      return reading * guesses + exercises * rest(this.done(one), one.questions.length);
    };
    return lessons.filter(one => !this.isDone(one)).reduce((sum, one) => sum + left(one), 0);
  }

  /** What was done on the last day of work, as "Yesterday: 3 guesses made, 1 question solved." */
  lately(now = new Date()): string {
    const last = this.events.at(-1);
    if (!last) {
      return '';
    }
    const day = new Date(last.at).toDateString();
    const that = this.events.filter(one => new Date(one.at).toDateString() === day);
    const count = (is: (one: Event) => boolean) =>
      new Set(that.filter(is).map(one => one.question)).size;
    const [guesses, solved] = [count(one => one.event === 'guess'), count(isSolved)];
    const said = [
      guesses ? `${plural(guesses, 'guess', 'guesses')} made` : '',
      solved ? `${plural(solved, 'question')} solved` : ''
    ].filter(Boolean);
    return said.length ? `${nameOf(day, now)}: ${said.join(', ')}.` : '';
  }

  /** Where the reader goes on, by the rules of `way_on` in home.py; none if all is solved. */
  ahead(): Ahead | undefined {
    const { lessons } = this.index;
    const named = new Map(lessons.map(one => [one.name, one]));
    const last = this.events.filter(one => named.has(setOf(one))).at(-1);
    if (!last) {
      return this.entry(lessons[0]);
    }
    const here = named.get(setOf(last))!;
    const guess = this.nextGuess(here);
    if (last.event === 'guess' && guess) {
      return this.toGuess(here, guess);
    }
    if (!this.isDone(here)) {
      return this.toQuestion(here, last.question);
    }
    const behind = lessons.slice(lessons.indexOf(here) + 1);
    const next = [...behind, ...lessons].find(one => !this.isDone(one));
    return next && this.entry(next);
  }

  private nextGuess(lesson: Lesson): string | undefined {
    return lesson.guesses.find(([name]) => !this.guessed.has(name))?.[1];
  }

  /** A lesson from its top, or its exercises if all of its guesses are made. */
  private entry(lesson: Lesson): Ahead {
    if (this.nextGuess(lesson) === undefined) {
      return this.toQuestion(lesson, '');
    }
    const about = `Lesson, about ${lesson.minutes[0]} minutes`;
    return { lesson, file: lesson.file, title: lesson.title, about };
  }

  private toGuess(lesson: Lesson, cell: string): Ahead {
    const at = lesson.guesses.findIndex(([, one]) => one === cell) + 1;
    const about = `Guess ${at} of ${lesson.guesses.length}`;
    return { lesson, file: lesson.file, cell, title: lesson.title, about };
  }

  /** The question that was tried last until it is solved, then the first unsolved one after it. */
  private toQuestion(lesson: Lesson, after: string): Ahead {
    const all = lesson.questions;
    const place = all.findIndex(([name]) => name === after);
    const start = place >= 0 && this.solved.has(after) ? place + 1 : Math.max(0, place);
    const found = [...all.slice(start), ...all.slice(0, start)].find(
      ([name]) => !this.solved.has(name)
    );
    const [name, title, cell] = found!;
    const about = `Exercise ${all.indexOf(found!) + 1} of ${all.length}, ${lesson.title}`;
    return { lesson, file: lesson.sheet, cell, title: `${name} · ${title}`, about };
  }
}

function isSolved(one: Event): boolean {
  return one.event === 'check' && one.word === 'correct';
}

function setOf(one: Event): string {
  return one.question.replace(one.event === 'guess' ? /-.*/ : /-[^-]*$/, '');
}

function parsed(line: string, renamed: Record<string, string>): Event[] {
  try {
    const one = JSON.parse(line) as Event;
    const whole = [one.at, one.question, one.event].every(value => typeof value === 'string');
    return whole ? [{ ...one, question: renamed[one.question] ?? one.question }] : [];
  } catch {
    return []; // a write that was interrupted costs no other line
  }
}

function nameOf(day: string, now: Date): string {
  const days = Math.round((Date.parse(now.toDateString()) - Date.parse(day)) / 86_400_000);
  if (days < 2) {
    return days < 1 ? 'Today' : 'Yesterday';
  }
  const form = days < 7 ? { weekday: 'long' } : { day: 'numeric', month: 'long' };
  const said = new Date(day).toLocaleDateString('en-GB', form as Intl.DateTimeFormatOptions);
  return days < 7 ? `On ${said}` : said;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Minutes as a reader would say them. */
export function time(minutes: number): string {
  const whole = Math.max(5, Math.round(minutes / 5) * 5);
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  return [hours ? `${hours} h` : '', rest ? `${rest} min` : ''].filter(Boolean).join(' ');
}
