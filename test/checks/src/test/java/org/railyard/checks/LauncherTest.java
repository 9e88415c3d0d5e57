package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Program;

/** The launcher, without the build: what it does before it starts anything. */
@NeedsCommand("sh")
final class LauncherTest {
    private static String launcher() {
        return SourceTree.root().resolve("railyard").toString();
    }

    @Test
    @NeedsCommand("shellcheck")
    void shellcheckFindsNothing() throws IOException {
        Path root = SourceTree.root();
        String ci = root.resolve(".ci/run").toString();
        assertThat(Program.of("shellcheck", launcher(), ci).run()).isEmpty();
    }

    @Test
    void saysPlainlyThatTheNamedJdkWillNotDo(@TempDir Path old) throws IOException {
        Files.createDirectory(old.resolve("bin"));
        assertThat(Files.createFile(old.resolve("bin/javac")).toFile().setExecutable(true))
                .isTrue();
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.1\"\n");
        String said = Program.of("sh", launcher(), "--version")
                .with("RAILYARD_JAVA_HOME", old.toString())
                .run(1);
        assertThat(said).hasLineCount(1).contains(old.toString(), "no JDK 25 or later");
    }

    /** A few runs of a scenario are over before the second compiler has paid for itself. */
    @ParameterizedTest
    @ValueSource(strings = {"railyard", "dist/packages/launcher.sh"})
    void bothLaunchersCountSeeds(String file) throws IOException {
        String text = Files.readString(SourceTree.root().resolve(file));
        int begin = text.indexOf("are_few_seeds() {");
        String function = text.substring(begin, text.indexOf("\n}\n", begin) + 3);
        for (String few : List.of(
                "--seed 7",
                "",
                "--seeds 1-100",
                "--seeds=5-5",
                "x --seed=9999999999999",
                "--seeds 5-1",
                "--seeds 61-100 selftest")) {
            assertThat(fewSeeds(function, few)).as(few).isTrue();
        }
        // What is no number is for the command to refuse.
        for (String many : List.of(
                "--seeds 1-101",
                "--seeds",
                "--seeds 08-09",
                "--seeds 1-",
                "--seeds -3",
                "--seeds 1-2-3",
                "--seeds a-b",
                "router-farm",
                "--seeds 60-100 selftest",
                "--seeds 9999999999999999999-99999999999999999999")) {
            assertThat(fewSeeds(function, many)).as(many).isFalse();
        }
    }

    /**
     * How methods are used that route a fabric misleads the compiler about those that carry messages; where there is
     * one compiler, it would compile all that was ever used when a program starts.
     */
    @Test
    void bothLaunchersCompileMessagesByHowTheyAreUsed(@TempDir Path home) throws IOException {
        Path fromSource = fromSource(home);
        Path jdk = jdkThatTellsItsOptions(home.resolve("jdk"), "25.0.1");
        Path later = jdkThatTellsItsOptions(home.resolve("later"), "26");
        Path fromPackage = fromPackage(home);
        String option = "-XX:-AOTReplayTraining";
        for (String each : List.of("lnetd", "lnetctl", "lst", "bench", "lab", "demo", "sm")) {
            assertThat(options(fromSource, jdk, each)).as(each).contains(option);
            assertThat(options(fromPackage, jdk, each)).as(each).contains(option);
        }
        for (String each : List.of("fabric", "campaign")) {
            assertThat(options(fromSource, jdk, each)).as(each).doesNotContain(option);
            assertThat(options(fromPackage, jdk, each)).as(each).doesNotContain(option);
        }
        // It is an option that another JDK may not know, and would not start with.
        assertThat(options(fromSource, later, "lnetd")).doesNotContain(option);
    }

    /** All of a cache is loaded before a program begins: the subnet manager has one without the rest. */
    @Test
    void theSubnetManagerHasACacheOfItsOwnWhereItWasMade(@TempDir Path home) throws IOException {
        Path launcher = fromSource(home);
        Path jdk = jdkThatTellsItsOptions(home.resolve("jdk"), "25.0.1");
        String name = "classes-" + jdk.toString().replaceAll("[^A-Za-z0-9._]", "-");
        Path all = Files.createFile(launcher.resolveSibling("dist/target").resolve(name + ".aot"));
        assertThat(options(launcher, jdk, "sm")).contains("-XX:AOTCache=" + all);
        Path own = Files.createFile(launcher.resolveSibling("dist/target").resolve(name + "-sm.aot"));
        assertThat(options(launcher, jdk, "sm")).contains("-XX:AOTCache=" + own);
        assertThat(options(launcher, jdk, "lab")).contains("-XX:AOTCache=" + all);
    }

    /** It starts one beside OpenSM, by options that are written down once more. */
    @Test
    void theBenchmarkStartsASubnetManagerAsBothLaunchersDo(@TempDir Path home) throws IOException {
        String bench = Files.readString(
                SourceTree.root().resolve("bench/src/main/java/org/railyard/bench/sm/LaunchedJvm.java"));
        List<String> options = Pattern.compile("\"(-X[^\"]*[^\"=])\"")
                .matcher(bench)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(options).contains("-XX:TieredStopAtLevel=1");
        Path jdk = jdkThatTellsItsOptions(home.resolve("jdk"), "25.0.1");
        for (Path launcher : List.of(fromSource(home), fromPackage(home))) {
            List<String> ofAll = options(launcher, jdk, "bench");
            List<String> ofManagers = options(launcher, jdk, "sm").stream()
                    .filter(option -> option.startsWith("-X") && !ofAll.contains(option))
                    .toList();
            assertThat(ofManagers).isEqualTo(options);
        }
    }

    /** Lays out a tree that is built; returns its launcher. */
    private static Path fromSource(Path home) throws IOException {
        Path source = home.resolve("source");
        Files.createDirectories(source.resolve("dist/target/lib"));
        return Files.copy(SourceTree.root().resolve("railyard"), source.resolve("railyard"));
    }

    /** Lays out an installed package; returns its launcher. */
    private static Path fromPackage(Path home) throws IOException {
        jdkThatTellsItsOptions(home.resolve("package/runtime"), "25.0.1");
        return Files.copy(
                SourceTree.root().resolve("dist/packages/launcher.sh"),
                Files.createDirectory(home.resolve("package/bin")).resolve("railyard"));
    }

    private static Path jdkThatTellsItsOptions(Path jdk, String version) throws IOException {
        Path bin = Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        for (String program : List.of("java", "javac")) {
            Path script = Files.writeString(bin.resolve(program), "#!/bin/sh\necho \"$@\"\n");
            assertThat(script.toFile().setExecutable(true)).isTrue();
        }
        return jdk;
    }

    private static List<String> options(Path launcher, Path jdk, String command) throws IOException {
        String said = Program.of("sh", launcher.toString(), command)
                .with("RAILYARD_JAVA_HOME", jdk.toString())
                .run();
        return List.of(said.strip().split(" "));
    }

    private static boolean fewSeeds(String function, String words) throws IOException {
        String script =
                "set -eu\n" + function + "\nif are_few_seeds lab run " + words + "; then echo few; else echo many; fi";
        return Program.of("sh", "-c", script).run().startsWith("few");
    }
}
