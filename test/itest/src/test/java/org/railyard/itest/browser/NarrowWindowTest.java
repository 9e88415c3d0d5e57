package org.railyard.itest.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;

/** All pages in a window that has no room for two columns: nothing that one clicks on or types into is outside. */
@BesideOthers
@NeedsCommand({"chromium", "chromedriver"})
final class NarrowWindowTest {
    /** The narrowest that the browser makes. */
    private static final int WIDTH = 500;

    /** Tables scroll by themselves. */
    private static final String OUTSIDE =
            "return [...document.querySelectorAll('button, input, select, .bar > *, section')]"
                    + ".filter((each) => !each.closest('.scroll')"
                    + " && each.getBoundingClientRect().right > document.documentElement.clientWidth)"
                    + ".map((each) => each.outerHTML.slice(0, 80))";

    private static final String ABOVE_EACH_OTHER = "return [...document.querySelectorAll('#page section')]"
            + ".map((each) => each.getBoundingClientRect())"
            + ".every((each, i, all) => i === 0 || each.top >= all[i - 1].bottom)";

    @TempDir
    private Path dir = Path.of("");

    @Test
    void allPagesFit() throws IOException {
        TorusFiles torus = TorusFiles.in(dir, "3x3x3");
        Path net = torus.net();
        Path conf = torus.conf();
        try (Browser browser = new Browser(WIDTH);
                ConsoleProcess console = new ConsoleProcess(
                        dir,
                        "nobody=" + dir.resolve("nobody.sock"),
                        "--fabric",
                        net.toString(),
                        "--conf",
                        conf.toString(),
                        "--lab",
                        "rail-down",
                        "--seed",
                        "1")) {
            browser.open(console.url());
            browser.awaitText("#why", "no lnetd answers");
            assertFits(browser);
            browser.click("#pages [data-page=cluster]");
            browser.awaitText(".cluster", "1 of them down");
            assertFits(browser);
            browser.click("#pages [data-page=fabric]");
            browser.awaitText("#outcome", "routed and proved free of credit loops");
            assertFits(browser);
            browser.click("#pages [data-page=lab]");
            browser.awaitText("[aria-label=Events]", "link down");
            assertFits(browser);
        }
    }

    private static void assertFits(Browser browser) {
        assertThat(browser.run(OUTSIDE)).isEqualTo(List.of());
        assertThat(browser.run(ABOVE_EACH_OTHER)).isEqualTo(true);
    }
}
