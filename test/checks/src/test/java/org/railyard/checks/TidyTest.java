package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Small rules that keep the tree tidy. */
final class TidyTest {
    private static final String JAVA = ".java";

    /** This file has to spell what it forbids. */
    private static boolean isNotThisFile(String file) {
        return !file.endsWith("/TidyTest.java");
    }

    private static boolean isTest(String file) {
        return file.contains("/src/test/") && file.endsWith(JAVA) && isNotThisFile(file);
    }

    private static boolean isCode(String file) {
        return !file.endsWith(".md")
                && !file.endsWith(".tsv")
                && !file.contains("/src/test/resources/")
                && isNotThisFile(file);
    }

    @Test
    void testsWaitForConditionsAndNeverSleep() {
        assertThat(SourceTree.find(
                        TidyTest::isTest, Pattern.compile("\\b(Thread|TimeUnit\\.\\w+|[A-Z]+SECONDS)\\.sleep\\(")))
                .as("a sleep is too short on a slow machine and too long on a fast one: wait for what is expected,"
                        + " with a deadline")
                .isEmpty();
    }

    @Test
    void noTestIsSwitchedOff() {
        assertThat(SourceTree.find(TidyTest::isTest, Pattern.compile("@Disabled\\b")))
                .isEmpty();
    }

    /** Contracts, which live in main code, may: a transport says what it can not do. */
    @Test
    void whatATestNeedsIsAnAnnotationThatFailsWhereEverythingMustRun() {
        assertThat(SourceTree.find(
                        TidyTest::isTest, Pattern.compile("\\bAssumptions?\\b|\\bassumeT|\\bassumingThat\\b")))
                .as("a plain assumption skips a test silently: use @NeedsRoot, @NeedsCommand or @NeedsFile of testkit")
                .isEmpty();
    }

    @Test
    void nothingIsLeftForLater() {
        assertThat(SourceTree.find(TidyTest::isCode, Pattern.compile("\\b(TODO|FIXME|XXX)\\b")))
                .isEmpty();
    }

    @Test
    void noFileKnowsTheMachineItWasWrittenOn() {
        assertThat(SourceTree.find(
                        TidyTest::isNotThisFile, Pattern.compile("(?<![\\w.*:-])/(?:root|home|Users|work)/\\w")))
                .isEmpty();
    }

    /** What a crashed JVM, a profiler, a merge or an editor leaves behind. */
    @Test
    void nothingLiesAround() {
        Pattern leftOver = Pattern.compile(
                "(.*/)?((hs_err|replay)_pid.*|core(\\.\\d+)?|.*\\.(log|jfr|hprof|orig|rej|bak|tmp|swp|class|jar|exec|pid)|.*~)");
        assertThat(SourceTree.files().stream().map(SourceTree::name).filter(leftOver.asMatchPredicate()))
                .as("move it out of the tree, or delete it; the log of a crash says why a JVM ended")
                .isEmpty();
    }

    @Test
    void noFileNamesARegistry() {
        assertThat(
                        SourceTree.find(
                                TidyTest::isNotThisFile,
                                Pattern.compile(
                                        "repo1?\\.maven\\.(org|apache\\.org)|/artifactory/|/nexus/|registry\\.npmjs|pypi\\.org")))
                .as("where packages come from is a matter of the machine, not of the tree")
                .isEmpty();
    }

    @Test
    void noLineEndsInBlanksAndNoFileHasTabs() {
        assertThat(SourceTree.find(
                        file -> !file.contains("/src/test/resources/") && !file.endsWith(".tsv"),
                        Pattern.compile("[ \\t]+$|\\t")))
                .isEmpty();
    }

    /** The formatter holds the code; strings, such as vectors of bytes, may be wider. */
    @Test
    void commentsKeepTo120Columns() {
        assertThat(SourceTree.find(file -> file.endsWith(JAVA), Pattern.compile("^(?=.{121})\\s*(/\\*\\*|\\*|//) .*")))
                .isEmpty();
    }

    @Test
    void everyPackageHasItsSentenceAndIsNullMarked() {
        List<String> complaints = new ArrayList<>();
        Set<Path> files = new TreeSet<>(SourceTree.mainJava());
        for (Path file : files) {
            Path info = file.resolveSibling("package-info.java");
            if (file.endsWith("module-info.java")) {
                continue;
            }
            if (!files.contains(info)) {
                complaints.add(SourceTree.name(info) + " is missing");
            } else {
                String text = String.join("\n", SourceTree.lines(info));
                if (!text.startsWith("/**") || !text.contains("@NullMarked")) {
                    complaints.add(SourceTree.name(info) + " needs a sentence and @NullMarked");
                }
            }
        }
        assertThat(complaints.stream().distinct()).isEmpty();
    }
}
