import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import ErrorPanel from "../../parts/ErrorPanel.svelte";
import { trust } from "../../state/trust.svelte";
import TrustDialog from "./TrustDialog.svelte";

it("shows what projects ask for, and trusts and distrusts it", async () => {
    const fake = fakeHost();
    setHost(fake);
    fake.disk.trust = { trusted: ["/shared/skills"], waiting: ["/home/me/private"] };
    render(TrustDialog);
    render(ErrorPanel, {
        error: {
            code: "untrusted",
            message: "links lead outside",
            messageZh: "链接指向外部",
            hint: null,
            hintZh: null,
            path: null,
            why: null,
        },
    });
    await fireEvent.click(screen.getByTestId("show-trust"));
    await fireEvent.click(await screen.findByTestId("trust-add"));
    await waitFor(() =>
        expect(screen.getAllByTestId("trust-trusted").map((row) => row.dataset["path"])).toEqual(["/shared/skills", "/home/me/private"]),
    );
    expect(screen.queryByTestId("trust-waiting")).toBeNull();
    for (let left = 2; left > 0; left--) {
        await fireEvent.click(screen.getAllByTestId("trust-remove")[0]!);
        await waitFor(() => expect(screen.queryAllByTestId("trust-trusted")).toHaveLength(left - 1));
    }
    expect(screen.getByTestId("trust-none")).toBeTruthy();
    trust.open = false;
});
