package org.railyard.cli.text;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.report.HtmlPage;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option {@code --report} of commands that write what they found as a page, too. */
public final class ReportOption {
    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Write there a report as well: one file of HTML with plots, and the command that made it.")
    private @Nullable Path directory;

    /** For picocli. */
    public ReportOption() {}

    /** Tells whether a report is wanted. */
    public boolean isWanted() {
        return directory != null;
    }

    /**
     * Tries to make the directory, if one was named: what is wrong with it is told before anything long begins. What is
     * made for that is deleted again, so that a command that then fails leaves nothing behind.
     *
     * @throws ParameterException if it can not be one, or not be written
     */
    public void prepare(CommandSpec spec) {
        Path dir = directory;
        if (dir == null) {
            return;
        }
        String why;
        List<Path> made = new ArrayList<>();
        for (Path each = dir.toAbsolutePath(); each != null && !Files.exists(each); each = each.getParent()) {
            made.add(each);
        }
        try {
            Files.createDirectories(dir);
            why = Files.isWritable(dir) ? "" : "permission denied";
            for (Path each : made) {
                Files.deleteIfExists(each);
            }
        } catch (FileAlreadyExistsException e) {
            why = "it is a file; expected a directory, or a new name";
        } catch (IOException e) {
            why = FileReason.ofWriting(dir, e);
        }
        if (!why.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--report " + dir + ": " + why);
        }
    }

    /**
     * Writes the report, if it is wanted, and tells where it is on standard error.
     *
     * @param name of the file, without its end
     * @param title of the page
     * @param content fills the page
     * @throws IOException if it can not be written; the message names the file and why
     */
    public void write(CommandSpec spec, String name, String title, Consumer<HtmlPage> content) throws IOException {
        Path dir = directory;
        if (dir == null) {
            return;
        }
        HtmlPage page = new HtmlPage(title, CommandText.of(spec));
        content.accept(page);
        Path file = dir.resolve(name + ".html");
        try {
            Files.createDirectories(dir);
            OutputFile.write(file, page.html());
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + FileReason.ofWriting(file, e), e);
        }
        spec.commandLine().getErr().println("report: " + file);
    }
}
