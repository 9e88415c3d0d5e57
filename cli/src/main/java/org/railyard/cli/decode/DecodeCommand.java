package org.railyard.cli.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.railyard.cli.decode.capture.NotACaptureException;
import org.railyard.cli.decode.capture.Problems;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard decode}: shows the LNet traffic in a packet capture. */
@Command(
        name = "decode",
        description = "Show the LNet traffic in a packet capture (pcap or pcapng).",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the whole capture was read",
            "1:parts of the capture are damaged; they are named on standard error and the rest is shown",
            "2:the file is no capture or cannot be read, or the command line is wrong"
        })
public final class DecodeCommand implements Callable<Integer> {
    static final int DAMAGED = 1;
    static final int UNUSABLE = 2;

    /** The port of the acceptor (spec 02 §2.1). */
    private static final int ACCEPTOR_PORT = 988;

    private final InputStream standardInput;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The capture; - for standard input.")
    private String file = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "TCP port to decode, at either end; may be repeated. Default: 988.")
    private Set<Integer> ports = new TreeSet<>();

    @Option(names = "--yaml", description = "Print one YAML document instead of text.")
    private boolean yaml;

    /** Makes the command. */
    public DecodeCommand() {
        this(System.in);
    }

    DecodeCommand(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    @Override
    public Integer call() {
        for (int port : ports) {
            if (port < 1 || port > 65_535) {
                throw new ParameterException(spec.commandLine(), "--port " + port + ": expected 1 to 65535");
            }
        }
        PrintWriter err = spec.commandLine().getErr();
        try (CaptureFile capture = open()) {
            return decode(capture, err);
        } catch (NotACaptureException e) {
            err.println("railyard: " + file + ": " + e.getMessage());
        } catch (NoSuchFileException e) {
            err.println("railyard: " + file + ": no such file");
        } catch (IOException | InvalidPathException e) {
            err.println("railyard: " + file + ": cannot be read: " + e.getMessage());
        }
        return UNUSABLE;
    }

    private CaptureFile open() throws IOException {
        return file.equals("-")
                ? CaptureFile.spool(standardInput, CaptureFile.MAX_SPOOLED)
                : CaptureFile.open(Path.of(file));
    }

    private int decode(CaptureFile capture, PrintWriter err) throws NotACaptureException {
        Problems problems = new Problems(err::println);
        Set<Integer> watched = ports.isEmpty() ? Set.of(ACCEPTOR_PORT) : ports;
        CaptureDecoder.Result result = CaptureDecoder.decode(capture.bytes(), watched, problems);
        PrintWriter out = spec.commandLine().getOut();
        if (yaml) {
            YamlReport.print(result, problems.count(), out);
        } else {
            TextReport.print(result, out);
        }
        out.flush();
        if (problems.count() == 0) {
            return 0;
        }
        err.println("railyard: " + file + ": " + problems.count() + " damaged or unusable places in " + result.packets()
                + " packets; the rest is shown");
        return DAMAGED;
    }
}
