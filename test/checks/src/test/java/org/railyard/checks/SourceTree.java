package org.railyard.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the source tree, as the rules look at them. */
final class SourceTree {
    private static final Set<String> NOT_OURS = Set.of(".git", "target", ".idea", ".vscode", ".railyard-build");

    private static final Pattern TEXT = Pattern.compile(
            ".*\\.(java|xml|md|sh|yaml|yml|properties|tsv|txt|config)|" + "(.*/)?(railyard|run|LICENSE|\\.gitignore)");

    /** The text files; nothing changes the tree while it is looked at. */
    private static @Nullable List<Path> textFiles;

    private SourceTree() {}

    /** Returns the root of the tree; the build tells where it is. */
    static Path root() {
        String root = System.getProperty("railyard.root");
        if (root == null) {
            throw new IllegalStateException("system property railyard.root is not set: run through Maven");
        }
        return Path.of(root);
    }

    /** Returns the text files, relative to the root, in the order of their names. */
    static synchronized List<Path> textFiles() {
        if (textFiles == null) {
            textFiles = files().stream()
                    .filter(file -> TEXT.matcher(name(file)).matches())
                    .toList();
        }
        return textFiles;
    }

    /** Returns all files, relative to the root, in the order of their names. */
    static List<Path> files() {
        Path root = root();
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return NOT_OURS.contains(folder.getFileName().toString()) && !folder.equals(root)
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(root.relativize(file));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(null);
        return files;
    }

    /** Returns the Java files of the modules' main code. */
    static List<Path> mainJava() {
        return textFiles().stream()
                .filter(file -> name(file).matches("(test/)?[^/]+/src/main/java/.*\\.java"))
                .toList();
    }

    /** Returns the lines of a file of the tree. */
    static List<String> lines(Path relative) {
        try {
            return Files.readAllLines(root().resolve(relative));
        } catch (IOException e) {
            throw new UncheckedIOException(relative.toString(), e);
        }
    }

    /** Returns {@code file:line: text} for each line of the chosen files in which the pattern is found. */
    static List<String> find(Predicate<String> files, Pattern pattern) {
        List<String> found = new ArrayList<>();
        for (Path file : textFiles()) {
            if (!files.test(name(file))) {
                continue;
            }
            int number = 0;
            for (String line : lines(file)) {
                number++;
                Matcher matcher = pattern.matcher(line);
                if (matcher.find()) {
                    found.add(name(file) + ":" + number + ": " + matcher.group());
                }
            }
        }
        return found;
    }

    /** Returns a path with slashes. */
    static String name(Path relative) {
        return relative.toString().replace('\\', '/');
    }
}
