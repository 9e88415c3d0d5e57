package org.railyard.itest.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;

/** The page Fabric, of the command as it is called: a torus from a file, with a switch whose name is a script. */
@BesideOthers
@NeedsCommand({"chromium", "chromedriver"})
final class FabricPageTest {
    private static final String HOSTILE = "<img src=x onerror=window.harm=1>";

    @TempDir
    private Path dir = Path.of("");

    @Test
    void aTorusThatIsLookedAtAndTriedOut() throws IOException {
        TorusFiles torus = TorusFiles.in(dir, "3x3x3");
        Path net = torus.net();
        Path conf = torus.conf();
        Files.writeString(net, Files.readString(net).replace("\"S-1.1.1\"", "\"" + HOSTILE + "\""));

        String nobody = "nobody=" + dir.resolve("nobody.sock");
        try (Browser browser = new Browser();
                ConsoleProcess console =
                        new ConsoleProcess(dir, nobody, "--fabric", net.toString(), "--conf", conf.toString())) {
            browser.open(console.url());
            browser.awaitText("#why", "no lnetd answers");
            browser.click("#pages [data-page=fabric]");
            browser.awaitText(".fabric", "torus 3 x 3 x 3, 27 switches, 27 hosts");
            browser.awaitText("#outcome", "routed and proved free of credit loops");

            browser.type("#from", "H-0.0.0.0");
            browser.type("#to", "H-2.1.1.0", Keys.ENTER);
            browser.awaitText("#way", "arrives");
            browser.awaitText("#way", "short way");

            // The switch in the middle of the torus is in the middle of the picture.
            browser.click(".picture canvas");
            browser.awaitText("#about", HOSTILE + " at (1,1,1)");
            browser.click("[data-part^=s]");
            browser.awaitText("#outcome", "entries changed");
            browser.awaitText("#outcome", "failed: " + HOSTILE);
            browser.awaitText("#legend", "detours");
            browser.click("[data-part^=s]");
            browser.awaitText("#legend", "ways over a link");

            browser.type("#find", "S-0.2.1");
            browser.awaitText("#about", "S-0.2.1 at (0,2,1)");
            browser.click("[data-part^=l]");
            browser.awaitText("#outcome", "failed: S-");

            browser.run("document.querySelector('#pattern').value = 'tornado';"
                    + "document.querySelector('#pattern').dispatchEvent(new Event('change'))");
            browser.awaitText("#carried", "us of 'tornado': ");
            browser.awaitText("#legend", "80 to 100 %");
            browser.type("#share", Keys.chord(Keys.CONTROL, "a"), "7", Keys.TAB);
            browser.awaitText("#carried", "expected 0.01 to 1");
            browser.awaitText("#legend", "detours");

            browser.run("document.querySelector('#cut').value = '2';"
                    + "document.querySelector('#cut').dispatchEvent(new Event('change'))");
            browser.awaitText("#plane-text", "z = 0");
            browser.type(".picture canvas", Keys.PAGE_UP, Keys.ARROW_LEFT, "+");
            browser.awaitText("#plane-text", "z = 1");

            assertThat(browser.count("img")).isZero();
            assertThat(browser.run("return window.harm === undefined")).isEqualTo(true);
            assertThat(browser.log()).isEqualTo(List.of());
        }
    }

    @Test
    void byKeysAlone() throws IOException {
        TorusFiles torus = TorusFiles.in(dir, "3x3x3");
        Path net = torus.net();
        Path conf = torus.conf();
        try (Browser browser = new Browser();
                ConsoleProcess console = new ConsoleProcess(
                        dir,
                        "nobody=" + dir.resolve("nobody.sock"),
                        "--fabric",
                        net.toString(),
                        "--conf",
                        conf.toString())) {
            browser.open(console.url() + "#/fabric");
            browser.awaitText("#outcome", "routed and proved free of credit loops");
            assertThat(browser.text("[aria-current=page]")).isEqualTo("Fabric");

            // Of three switches that are found, Enter chooses one after the other.
            browser.type("body", "/");
            browser.type("input:focus", "S-1.2.");
            browser.awaitText("#found", "3 found");
            browser.type("#find:focus", Keys.ENTER);
            browser.awaitText("#about", "S-1.2.0 at (1,2,0)");
            browser.type("#find:focus", Keys.ENTER);
            browser.awaitText("#about", "S-1.2.1 at (1,2,1)");

            // Who lets a part fail by a key is still at its button, which then mends it.
            browser.type("[data-part^=s]", Keys.ENTER);
            browser.awaitText("#about button:focus", "mend it");
            browser.awaitText("#outcome", "failed: S-1.2.1");
            browser.type("#about button:focus", Keys.SPACE);
            browser.awaitText("#about button:focus", "let it fail");

            browser.type(".picture canvas", Keys.ESCAPE);
            browser.awaitText("#about", "search it and press Enter");
            assertThat(browser.log()).isEqualTo(List.of());
        }
    }

    @Test
    void theCycleOfACreditLoopIsDrawn() throws IOException {
        TorusFiles torus = TorusFiles.in(dir, "5x5");
        Path net = torus.net();
        Path conf = torus.conf();
        try (Browser browser = new Browser();
                ConsoleProcess console = new ConsoleProcess(
                        dir,
                        "nobody=" + dir.resolve("nobody.sock"),
                        "--fabric",
                        net.toString(),
                        "--conf",
                        conf.toString(),
                        "--engine",
                        "dor")) {
            browser.open(console.url() + "#/fabric");
            browser.awaitText("#outcome", "these tables close a credit loop");
            browser.awaitText("#legend", "cycle of the credit loop");
            assertThat(browser.log()).isEqualTo(List.of());
        }
    }
}
