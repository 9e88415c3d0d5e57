package org.railyard.itest.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.railyard.itest.kit.Command;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;

/** The page Lab run, as the command opens it that a failing seed prints: texts that are scripts, a node that dies. */
@BesideOthers
@NeedsCommand({"chromium", "chromedriver"})
final class LabPageTest {
    private static final String HOSTILE = "<img src=x onerror=window.harm=1>";
    private static final String EVENTS = "[aria-label=Events]";
    private static final String SCENARIO = """
        name: hostile
        about: "<img src=x onerror=window.harm=1>"
        rails: {blue: {}, green: {}}
        nodes:
          client:
            count: 2
            devices: {eth0: blue, eth1: green}
            config: &config
              net:
                - net type: tcp
                  local NI(s):
                    - interfaces: {0: eth0}
                    - interfaces: {0: eth1}
              global: {transaction_timeout: 5}
          server: {devices: {eth0: blue, eth1: green}, config: *config}
        load: [{from: client, to: server, do: [put, get], concurrency: 4, rate: 50/s, start: 200ms, for: 3s}]
        faults:
          - {at: 1s, for: 300ms, link_down: {node: client-1, device: eth1}}
          - {at: 2s, for: 500ms, kill: {node: server-1}}
        expect: {allow_failures: false}
        settle: 60s
        """;

    @TempDir
    private Path dir = Path.of("");

    @Test
    void aFailingSeedIsLookedAt() throws IOException {
        Path file = dir.resolve(HOSTILE + ".yaml");
        Files.writeString(file, SCENARIO);
        Command run = Command.run("lab", "run", file.toString(), "--seeds", "1-1");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("look at it with: railyard console --lab '" + file + "' --seed 1");

        try (Browser browser = new Browser();
                ConsoleProcess console = new ConsoleProcess(dir, "--lab", file.toString(), "--seed", "1")) {
            browser.open(console.url());
            browser.awaitText(".lab .bar", HOSTILE + ".yaml");
            browser.awaitText("#item", HOSTILE);
            browser.awaitText("#item", "expect at ");
            browser.awaitText("#item", "railyard lab replay '" + file + "' --seed 1");
            browser.awaitText("#pages", "Lab run");
            assertThat(browser.text("#pages")).as("there is no node to show").doesNotContain("Cluster");

            browser.click("[aria-label='the whole run (0)']");
            browser.awaitText("#window", "0.000 ms to ");
            browser.awaitText(EVENTS, "link down: [client-1:eth1]");
            browser.type("#events-search", "killed");
            browser.click(EVENTS + " .rows .line:not([hidden])");
            browser.awaitText("#item", "fault at 2.000000000 s");

            // With the keys: on to where it begins, and in the table to a message that did not arrive.
            String before = browser.text("#window");
            browser.type("#lanes", Keys.HOME, "+", Keys.ARROW_RIGHT, "n");
            assertThat(browser.text("#window")).isNotEqualTo(before);
            browser.type("#lanes", "0");
            browser.clear("#events-search");
            browser.type("#events-search", "did not arrive");
            browser.awaitText(EVENTS, "did not arrive: ");
            browser.type(EVENTS, Keys.HOME);
            browser.awaitText("#item", "call #");
            assertThat(browser.count("#item p.bad")).isPositive();

            browser.type("#lanes-search", "server");
            browser.run("document.querySelector('#strip').dispatchEvent("
                    + "new PointerEvent('pointerdown', {clientX: 600, clientY: 500, pointerId: 1}))");
            browser.click("#scheme");
            browser.click("#scheme");
            browser.awaitText("#scheme", "dark");

            assertThat(browser.count("img")).isZero();
            assertThat(browser.run("return window.harm === undefined")).isEqualTo(true);
            assertThat(browser.log()).isEqualTo(List.of());
        }
    }
}
