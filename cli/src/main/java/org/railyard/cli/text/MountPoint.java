package org.railyard.cli.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files that something is mounted on, such as single files of a container: no other file can take their place. */
final class MountPoint {
    /** Where Linux tells the mounts of this process; other systems have no such file, and no such mounts. */
    static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    /** Which word of a line is the mount point. */
    private static final int WORD = 4;

    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

    private static final int OCTAL_BASE = 8;

    private MountPoint() {}

    /**
     * Tells whether a file is one.
     *
     * @param file absolute, without symbolic links
     * @param mounts {@link #MOUNTS}
     */
    static boolean is(Path file, Path mounts) {
        // A byte for each character: names need not be text.
        String name = new String(file.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        try (Stream<String> lines = Files.lines(mounts, StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.split(" ", WORD + 2))
                    .anyMatch(words -> words.length > WORD && plain(words[WORD]).equals(name));
        } catch (IOException | UncheckedIOException _) {
            // Then it is known when it is written.
            return false;
        }
    }

    /** Blanks and some other characters are told as octal numbers. */
    private static String plain(String told) {
        return OCTAL.matcher(told)
                .replaceAll(code ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(code.group(1), OCTAL_BASE))));
    }
}
