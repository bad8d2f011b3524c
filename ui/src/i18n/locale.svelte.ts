/** The language that is on. `t` reads it, so a switch redraws texts and nothing else. */
import type { Worded } from "../generated/api";
import { en } from "./en";
import { fill, type Translation, type Values } from "./messages";
import { zhCn } from "./zh-CN";

export type Locale = "en" | "zh-CN";
export type Key = keyof typeof en;

export const catalogues: Record<Locale, Translation<typeof en>> = { en, "zh-CN": zhCn };

let locale = $state<Locale>("en");

/** The text of `key` with its values put in. */
export function t<K extends Key>(key: K, ...values: Values<(typeof en)[K]>): string {
    return fill(catalogues[locale][key], values[0] ?? {});
}

/** The text of a key that may be in no catalogue, and that asks for no values. */
export function textOf(key: string): string | null {
    const texts: Readonly<Record<string, string>> = catalogues[locale];
    return texts[key] ?? null;
}

export function currentLocale(): Locale {
    return locale;
}

export function otherLocale(): Locale {
    return inLocale("zh-CN", "en");
}

/** Chooses between texts in both languages. */
export function inLocale<T>(en: T, zhCn: T): T {
    return locale === "en" ? en : zhCn;
}

/** Sentences that follow each other. */
export function sentences(...texts: readonly string[]): string {
    return texts.join(inLocale(" ", ""));
}

/** Names in a row. */
export function listed(names: readonly string[]): string {
    return names.join(inLocale(", ", "、"));
}

/** A text of the core, in the current language. */
export function worded(text: Worded): string {
    return inLocale(text.en, text.zh);
}

export function setLocale(next: Locale): void {
    locale = next;
}

/** The language of the system, if it is one of ours. */
export function systemLocale(languages: readonly string[]): Locale {
    return languages[0]?.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}

/** `1,234`, in the way of the language that is on. */
export function formatNumber(value: number): string {
    return number(locale).format(value);
}

/** `10:42`. */
export function formatTime(at: number): string {
    return time(locale).format(at);
}

/** `Nov 21, 2026, 10:42`. */
export function formatMoment(at: number): string {
    return moment(locale).format(at);
}

/** Made once for each language: making one takes longer than a hundred numbers. */
function kept<T>(make: (of: Locale) => T): (of: Locale) => T {
    const made = new Map<Locale, T>();
    return (of) => {
        const known = made.get(of) ?? make(of);
        made.set(of, known);
        return known;
    };
}

const number = kept((of) => new Intl.NumberFormat(of));
const time = kept((of) => new Intl.DateTimeFormat(of, { hour: "2-digit", minute: "2-digit", hour12: false }));
const moment = kept((of) => new Intl.DateTimeFormat(of, { dateStyle: "medium", timeStyle: "short", hour12: false }));
