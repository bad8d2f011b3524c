/** What presets say of themselves, in the language that is on. */
import type { ModelPreset, Placeholder } from "../../generated/api";
import { currentLocale } from "../../i18n";

export function presetNote({ note, noteZh }: ModelPreset): string | null {
    return currentLocale() === "zh-CN" ? noteZh : note;
}

export function placeholderName({ what, whatZh }: Placeholder): string {
    return currentLocale() === "zh-CN" ? whatZh : what;
}
