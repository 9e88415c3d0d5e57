package org.railyard.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.cli.service.NoServiceException;
import org.railyard.cli.text.FileReason;
import org.railyard.control.DlcException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Tells in one line why a command failed; the stack trace only when asked for. */
final class Failures implements IExecutionExceptionHandler {
    private final RailyardCommand root;

    Failures(RailyardCommand root) {
        this.root = root;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult line) {
        command.getErr().println("railyard: " + OneLine.of(describe(failure)));
        if (root.debug()) {
            failure.printStackTrace(command.getErr());
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** Returns errno name and message; a failure that no errno fits is a defect of the program and says so. */
    static String describe(Throwable failure) {
        return switch (failure) {
            // Its message starts with the errno.
            case ErrnoException e -> text(e);
            case NoServiceException e -> Errno.ECONNREFUSED + ": " + e.text();
            case DlcException e ->
                Errno.ofStatus(e.failure().errno()) + ": " + e.failure().text();
            case UncheckedIOException e ->
                describe(e.getCause() == null ? new IOException(e.getMessage(), e) : e.getCause());
            case NoSuchFileException e -> Errno.ENOENT + ": no such file: " + e.getFile();
            case AccessDeniedException e -> Errno.EPERM + ": no permission: " + e.getFile();
            case FileAlreadyExistsException e -> Errno.EEXIST + ": file exists: " + e.getFile();
            case FileNotFoundException e -> Errno.ENOENT + ": " + text(e);
            case ConnectException e -> Errno.ECONNREFUSED + ": " + text(e);
            case SocketTimeoutException e -> Errno.ETIMEDOUT + ": " + text(e);
            // A message that names the file has the reason as its cause.
            case IOException e ->
                FileReason.errno(e.getCause() instanceof IOException cause ? cause : e) + ": " + text(e);
            case IllegalArgumentException e -> Errno.EINVAL + ": " + text(e);
            case InterruptedException _ -> Errno.EINTR + ": interrupted";
            default -> "internal error: " + failure + "; --debug shows where";
        };
    }

    private static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
