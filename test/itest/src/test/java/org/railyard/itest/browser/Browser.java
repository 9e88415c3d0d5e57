package org.railyard.itest.browser;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.remote.RemoteWebDriver;
import org.railyard.itest.kit.Await;

/** Chromium without a screen. The programs are those of this machine: nothing is looked for in the network. */
final class Browser implements AutoCloseable {
    private final ChromeDriverService service;
    private final RemoteWebDriver driver;

    Browser() {
        this(1280);
    }

    /** Makes one whose window is so wide, pixels. */
    Browser(int width) {
        service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver"))
                .usingAnyFreePort()
                .build();
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium"));
        // As root there is no sandbox, and in containers little shared memory.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--window-size=" + width + ",900");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        try {
            service.start();
            driver = new RemoteWebDriver(service.getUrl(), options, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static File program(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> new File(folder, name))
                .filter(File::canExecute)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no program " + name));
    }

    /** Opens a page; what the one before complained of is forgotten. */
    void open(String url) {
        driver.get("about:blank");
        log();
        driver.get(url);
    }

    /** Runs a script and returns what it returns. */
    @Nullable
    Object run(String script) {
        return driver.executeScript(script);
    }

    private List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Returns the text that is to be seen in the first element that fits; empty if there is none. */
    String text(String css) {
        try {
            return all(css).stream().findFirst().map(WebElement::getText).orElse("");
        } catch (StaleElementReferenceException e) {
            // It was drawn anew while we looked.
            return "";
        }
    }

    int count(String css) {
        return all(css).size();
    }

    void awaitText(String css, String text) {
        Await.until(
                () -> "'" + text + "' in " + css + ", which has: " + text(css) + "\nlog: " + log(),
                () -> text(css).contains(text));
    }

    void click(String css) {
        Await.until("something to click on: " + css, () -> count(css) > 0);
        driver.findElement(By.cssSelector(css)).click();
    }

    void type(String css, CharSequence... keys) {
        driver.findElement(By.cssSelector(css)).sendKeys(keys);
    }

    void clear(String css) {
        type(css, Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
    }

    /** Returns what the browser complained of since it was last asked. */
    List<String> log() {
        try {
            return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                    .map(each -> each.getLevel() + " " + each.getMessage())
                    .toList();
        } catch (JavascriptException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        driver.quit();
        service.stop();
    }
}
