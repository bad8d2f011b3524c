/** The window: which place is open, settings, start and close. */
import type { ApiError, BenchState, Language, Settings, Theme, Tokenizer } from "../generated/api";
import { host, toApiError, type Unlisten } from "../host";
import { setLocale, systemLocale } from "../i18n";
import { startPushes } from "./pushes";
import { toasts } from "./toasts.svelte";

export const PLACES = ["skills", "inspect", "compare", "run", "traces"] as const;
export type Place = (typeof PLACES)[number];

const ZOOMS = [80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const;
const DEFAULTS: Settings = {
    theme: "system",
    language: "system",
    zoom: 100,
    showPreview: false,
    keys: {},
    retention: { days: null, gigabytes: null, reviewedToo: false },
    editor: "",
    tokenizer: "o200k_base",
};

export class AppState {
    place = $state<Place>("skills");
    /** Places that were open once: they stay drawn, so that coming back finds them as they were. */
    visited = $state.raw<readonly Place[]>(["skills"]);
    bench = $state.raw<BenchState | null>(null);
    error = $state.raw<ApiError | null>(null);
    settings = $state.raw<Settings>(DEFAULTS);
    paletteOpen = $state(false);
    helpOpen = $state(false);
    /** A run is presented: nothing else is in sight. */
    presenting = $state(false);
    /** Asks the Traces place to open the bundled run at its first step. */
    sample = $state(false);
    readonly tokenizers: readonly Tokenizer[] = $derived(this.bench?.tokenizers ?? []);

    /** The answer ends the pushes. */
    async start(): Promise<Unlisten> {
        await this.load();
        return startPushes();
    }

    async load(): Promise<void> {
        try {
            this.bench = await host.call("bench_state", {});
            this.settings = this.bench.settings;
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
        this.#apply();
    }

    go(place: Place): void {
        this.visited = PLACES.filter((known) => known === place || this.visited.includes(known));
        this.place = place;
        this.presenting = false;
    }

    setTheme(theme: Theme): Promise<void> {
        return this.change({ theme });
    }

    setLanguage(language: Language): Promise<void> {
        return this.change({ language });
    }

    setTokenizer(tokenizer: Tokenizer): Promise<void> {
        return this.change({ tokenizer });
    }

    /** `steps`: 1 larger, -1 smaller, 0 back to 100 %. */
    zoom(steps: 1 | 0 | -1): Promise<void> {
        const at = ZOOMS.findIndex((zoom) => zoom >= this.settings.zoom);
        const next = steps === 0 ? 100 : (ZOOMS[at + steps] ?? this.settings.zoom);
        return this.change({ zoom: next });
    }

    /** Shown at once; kept by the shell. */
    async change(part: Partial<Settings>): Promise<void> {
        this.settings = { ...this.settings, ...part };
        this.#apply();
        const settings = this.settings;
        await toasts.guard(() => host.call("settings_set", { settings }));
    }

    async setTitle(title: string): Promise<void> {
        await toasts.guard(() => host.setTitle(title));
    }

    #apply(): void {
        const { language, theme, zoom } = this.settings;
        const locale = language === "system" ? systemLocale(navigator.languages) : language;
        setLocale(locale);
        const root = document.documentElement;
        root.lang = locale;
        if (theme === "system") {
            delete root.dataset.theme;
        } else {
            root.dataset.theme = theme;
        }
        void host.setZoom(zoom / 100).catch((thrown: unknown) => toasts.error(thrown));
    }
}

export const app = new AppState();
