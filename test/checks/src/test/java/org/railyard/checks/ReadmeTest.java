package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README tells people to type exists. */
final class ReadmeTest {
    private static final Pattern COMMAND = Pattern.compile("^\\s*\\./railyard ([a-z]+)");

    private final ModuleLayer product = product();

    /** The product as modules: on the class path, where tests live, commands of other modules would not be found. */
    private static ModuleLayer product() {
        Path[] places = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(place ->
                        !place.endsWith("test-classes") && place.toFile().exists())
                .toArray(Path[]::new);
        ModuleLayer boot = ModuleLayer.boot();
        Configuration modules = boot.configuration()
                .resolveAndBind(ModuleFinder.of(), ModuleFinder.of(places), Set.of("org.railyard.cli"));
        return boot.defineModulesWithOneLoader(modules, ClassLoader.getPlatformClassLoader());
    }

    private boolean exists(String command) throws ReflectiveOperationException {
        ClassLoader loader = product.findLoader("org.railyard.cli");
        Method run = loader.loadClass("org.railyard.cli.Main")
                .getMethod("run", PrintWriter.class, PrintWriter.class, String[].class);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        here.setContextClassLoader(loader);
        try {
            return (int) run.invoke(null, nowhere, nowhere, new String[] {command, "--help"}) == 0;
        } finally {
            here.setContextClassLoader(before);
        }
    }

    @Test
    void everyCommandOfTheReadmeExists() throws ReflectiveOperationException {
        Set<String> missing = new TreeSet<>();
        Set<String> found = new TreeSet<>();
        for (String line : SourceTree.lines(Path.of("README.md"))) {
            Matcher matcher = COMMAND.matcher(line);
            if (matcher.find() && found.add(matcher.group(1)) && !exists(matcher.group(1))) {
                missing.add(matcher.group(1));
            }
        }
        assertThat(found).as("commands in the README").isNotEmpty();
        assertThat(missing)
                .as("in the README, but railyard has no such command")
                .isEmpty();
    }

    @Test
    void everyFolderOfTheBuildIsInTheLayout() {
        List<String> rows = SourceTree.lines(Path.of("README.md")).stream()
                .filter(line -> line.startsWith("| "))
                .toList();
        assertThat(SourceTree.files().stream()
                        .filter(file -> file.getNameCount() > 1 && file.endsWith("pom.xml"))
                        .map(file -> "`" + file.getName(0) + "`")
                        .distinct())
                .isNotEmpty()
                .allMatch(folder -> rows.stream().anyMatch(row -> row.split("\\|", 3)[1].contains(folder)));
    }

    @Test
    void everyModuleOfTheProductIsInTheArchitecture() {
        String page = String.join("\n", SourceTree.lines(Path.of("docs/architecture.md")));
        assertThat(SourceTree.files().stream()
                        .filter(file -> file.endsWith("src/main/java/module-info.java"))
                        .map(file -> file.getName(file.getNameCount() - 5).toString()))
                .isNotEmpty()
                .allMatch(module -> page.contains("`" + module + "`"));
    }
}
