package org.railyard.cli.text;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Tells whether a file lies in the directory, which {@link #prepare} makes. */
    public boolean isIn(Path file) {
        return directory != null
                && directory
                        .toAbsolutePath()
                        .normalize()
                        .equals(file.toAbsolutePath().normalize().getParent());
    }

    /**
     * Makes the directory, if one was named: what is wrong with it is told before anything long begins. To be called
     * when the other options were found right, so that a command that is refused leaves none behind.
     *
     * @throws ParameterException if it can not be one, or not be written
     */
    public void prepare(CommandSpec spec) {
        Path dir = directory;
        if (dir == null) {
            return;
        }
        String why;
        try {
            Files.createDirectories(dir);
            why = Files.isWritable(dir) ? "" : "permission denied";
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
        ResultFile.write(file, page.html());
        spec.commandLine().getErr().println("report: " + file);
    }
}
