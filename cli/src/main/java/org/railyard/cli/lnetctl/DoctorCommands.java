package org.railyard.cli.lnetctl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Problem;
import org.railyard.cli.lnetctl.doctor.ReportText;
import org.railyard.cli.service.NoServiceException;
import org.railyard.config.Configuration;
import org.railyard.control.DlcException;
import org.railyard.control.DoctorOperation;
import org.railyard.control.LnetOperation;
import org.railyard.control.node.SetupOfFile;
import org.railyard.doctor.Doctor;
import org.railyard.doctor.HostFacts;
import org.railyard.doctor.Report;
import org.railyard.doctor.Setup;
import org.railyard.doctor.Severity;
import org.railyard.host.WholeText;
import org.railyard.node.facts.SystemFacts;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;

/** {@code doctor}: what is wrong with a node and its machine, and the commands that mend it. */
final class DoctorCommands {
    /** Exit code when something does not work. */
    static final int ERRORS = 1;

    private static final String TIMEOUT = "timeout";
    private static final int MAX_PORT = 65_535;
    private static final int MAX_BYTES = 16 << 20;

    private DoctorCommands() {}

    static LnetctlGroup group() {
        return LnetctlGroup.of(new Command(
                        "doctor",
                        "",
                        "",
                        "find mistakes of this machine and its node, and tell the commands that mend them",
                        List.of(
                                Opt.flag("probe", 'p', "also ping the peers that are known"),
                                Opt.value(
                                        TIMEOUT, 't', "SECONDS", "with --probe: limit for each answer, at most 60; 5"),
                                Opt.value(
                                        "config", 'c', "FILE", "check a file against this machine before lnetd starts"),
                                Opt.value("port", (char) 0, "N", "with --config: TCP port to listen at; 988"),
                                Opt.flag(
                                        "any-source-port",
                                        (char) 0,
                                        "with --config: lnetd is started with that option, too"),
                                Opt.flag("yaml", 'y', "findings as YAML")),
                        DoctorCommands::run)
                .withHelpExit(Exit.OK));
    }

    private static int run(ParsedLine line, Session session) {
        if (!line.words().isEmpty()) {
            return session.complain(
                    Exit.FAILED,
                    "doctor: '" + line.words().getFirst() + "' is too much; a file to check goes with --config FILE");
        }
        String file = line.get("config");
        if (file != null) {
            return line.has("probe")
                    ? session.complain(
                            Exit.FAILED, "doctor: --probe asks peers of a node that runs; a file has none to ask")
                    : file(Path.of(file), line, session);
        }
        if (line.has("port") || line.has("any-source-port")) {
            return session.complain(
                    Exit.FAILED,
                    "doctor: --port and --any-source-port say how lnetd will be started with --config FILE");
        }
        Integer timeout = line.number(TIMEOUT);
        if (line.has(TIMEOUT) && (timeout == null || !line.has("probe"))) {
            return session.complain(
                    Exit.FAILED,
                    "doctor: --timeout '" + line.get(TIMEOUT) + "'; expected --probe and a whole number of seconds");
        }
        try {
            return print(
                    Report.ofDocument(session.dlc().execute(new DoctorOperation.Examine(line.has("probe"), timeout))),
                    line,
                    session);
        } catch (NoServiceException e) {
            return session.complain(
                    Exit.FAILED, e.text() + "; 'lnetctl doctor --config FILE' checks a file before it is started");
        } catch (DlcException e) {
            return session.fail(e);
        }
    }

    private static int print(Report report, ParsedLine line, Session session) {
        if (isDocument(line, session)) {
            session.print(report.toDocument());
        } else {
            session.out().print(ReportText.of(report));
        }
        return report.count(Severity.ERROR) > 0 ? ERRORS : Exit.OK;
    }

    private static boolean isDocument(ParsedLine line, Session session) {
        return line.has("yaml") || session.isJson();
    }

    private static int file(Path file, ParsedLine line, Session session) {
        Integer port = line.number("port");
        if (!line.has("port")) {
            port = SockLndConfig.defaults().get(SockTunable.ACCEPT_PORT);
        }
        if (port == null || port < 1 || port > MAX_PORT) {
            return session.complain(Exit.FAILED, "doctor: --port '" + line.get("port") + "'; expected 1…" + MAX_PORT);
        }
        Configuration wanted;
        try {
            String text = WholeText.read(file, MAX_BYTES, StandardCharsets.UTF_8);
            wanted = Configuration.read(file.toString(), text);
        } catch (IOException e) {
            return session.complain(Exit.NOT_THERE, "doctor: " + file + " can not be read: " + why(e));
        } catch (DocumentException e) {
            e.problems().forEach(each -> session.complain(Exit.FAILED, each.toString()));
            return Exit.FAILED;
        }
        wanted.warningsFor(List.of()).forEach((Problem each) -> session.complain(Exit.OK, each.toString()));
        Report report = examine(wanted, port, line.has("any-source-port"), session);
        if (!isDocument(line, session)) {
            session.out().println("checked against " + SystemFacts.namespace() + "\n");
        }
        return print(report, line, session);
    }

    private static String why(IOException e) {
        return e instanceof NoSuchFileException ? "there is no such file" : String.valueOf(e.getMessage());
    }

    private static Report examine(Configuration wanted, int port, boolean anySourcePort, Session session) {
        HostFacts facts = new SystemFacts();
        Setup setup = SetupOfFile.of(
                wanted,
                new Setup.Start(isRunning(session) ? 0 : port, anySourcePort),
                facts,
                SockLndConfig.defaults().get(SockTunable.SOCK_TIMEOUT));
        return Doctor.examine(setup, facts);
    }

    /** A daemon that runs has the port, as it should. */
    private static boolean isRunning(Session session) {
        try {
            session.dlc().execute(new LnetOperation.Status());
            return true;
        } catch (NoServiceException | DlcException e) {
            return false;
        }
    }
}
