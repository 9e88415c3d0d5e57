package org.railyard.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The page of modules and packages, made from {@code module-info.java} and {@code package-info.java} of the main code.
 */
final class PackagePage {
    private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern TAG = Pattern.compile("\\{@(?:code|link)\\s+([^}]*)}");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

    private PackagePage() {}

    /** Returns the page as Markdown; the same tree always gives the same page. */
    static String render(Path root) throws IOException {
        StringBuilder page = new StringBuilder();
        page.append("# Modules and packages\n\n");
        page.append("Written by `mvn verify` from `module-info.java` and `package-info.java`; do not edit.\n");
        for (Path module : Modules.folders(root)) {
            Path sources = module.resolve("src/main/java");
            if (Files.isDirectory(sources)) {
                append(page, module.getFileName().toString(), sources);
            }
        }
        return page.toString();
    }

    private static void append(StringBuilder page, String module, Path sources) throws IOException {
        page.append("\n## ").append(module).append("\n\n");
        Path descriptor = sources.resolve("module-info.java");
        if (Files.exists(descriptor)) {
            page.append(sentence(Files.readString(descriptor))).append("\n\n");
        }
        page.append("| Package | Holds |\n|---|---|\n");
        packages(sources)
                .forEach((name, holds) -> page.append("| `")
                        .append(name)
                        .append("` | ")
                        .append(holds)
                        .append(" |\n"));
    }

    private static Map<String, String> packages(Path sources) throws IOException {
        Map<String, String> packages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> infos =
                    files.filter(file -> file.endsWith("package-info.java")).toList();
            for (Path info : infos) {
                String text = Files.readString(info);
                Matcher name = PACKAGE.matcher(text);
                if (name.find()) {
                    packages.put(name.group(1), sentence(text));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return packages;
    }

    /** Returns the first paragraph of the first comment in one line; tags as Markdown, types by their simple names. */
    private static String sentence(String text) {
        Matcher comment = COMMENT.matcher(text);
        if (!comment.find()) {
            return "";
        }
        String line = comment.group(1)
                .replaceAll("\\s*\\n \\*[ ]?", "\n")
                .strip()
                .split("\\n\\n|\\n<p>", 2)[0]
                .replaceAll("\\s+", " ");
        return TAG.matcher(line)
                .replaceAll(tag -> Matcher.quoteReplacement("`" + simple(tag.group(1)) + "`"))
                .replace("|", "\\|");
    }

    private static String simple(String name) {
        int dot = name.lastIndexOf('.');
        return dot >= 0 && dot + 1 < name.length() && Character.isUpperCase(name.charAt(dot + 1))
                ? name.substring(dot + 1)
                : name;
    }
}
