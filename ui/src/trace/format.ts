/** Amounts as they are shown. Units are the same in every language. */

/** `86`, `4.8k`, `1.2M`: for places without room for all digits. */
export function brief(value: number): string {
    if (value < 1000) {
        return String(value);
    }
    return value < 999_950 ? `${tenths(value / 1000)}k` : `${tenths(value / 1_000_000)}M`;
}

/** Of milliseconds. */
export function duration(milliseconds: number): string {
    if (milliseconds < 1000) {
        return `${Math.max(0, Math.round(milliseconds))} ms`;
    }
    const seconds = milliseconds / 1000;
    if (seconds < 59.95) {
        return `${seconds.toFixed(1)} s`;
    }
    const whole = Math.round(seconds);
    return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

/** An amount of US dollars, with as many digits as are meaningful. */
export function dollars(amount: number): string {
    if (amount === 0) {
        return "$0";
    }
    if (amount < 0.000_001) {
        return "< $0.000001";
    }
    return `$${amount.toFixed(amount < 0.01 ? 6 : amount < 1 ? 4 : 2)}`;
}

export function bytes(size: number): string {
    if (size < 1024) {
        return `${size} B`;
    }
    return size < 1024 * 1024 ? `${tenths(size / 1024)} KB` : `${tenths(size / 1024 / 1024)} MB`;
}

/** Of bytes on a disk, in the units that disks are sold by. */
export function room(size: number): string {
    if (size < 1e6) {
        return `${tenths(size / 1e3)} KB`;
    }
    return size < 1e9 ? `${tenths(size / 1e6)} MB` : `${tenths(size / 1e9)} GB`;
}

function tenths(value: number): string {
    return value < 100 ? value.toFixed(1).replace(/\.0$/, "") : value.toFixed(0);
}
