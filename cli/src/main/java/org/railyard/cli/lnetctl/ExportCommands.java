package org.railyard.cli.lnetctl;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.railyard.cli.service.NoServiceException;
import org.railyard.cli.text.FileReason;
import org.railyard.cli.text.OutputFile;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;

/** {@code export} (spec 12 §6). */
final class ExportCommands {
    private ExportCommands() {}

    static LnetctlGroup group() {
        List<Opt> options = List.of(Opt.flag("backup", 'b', "only what can be configured, for import"));
        Command export =
                new Command("export", "", "[FILE]", "write all there is as YAML", options, ExportCommands::export);
        return LnetctlGroup.of(export.withHelpExit(Exit.OK));
    }

    private static int export(ParsedLine line, Session session) {
        boolean backup = line.has("backup");
        String text;
        try {
            text = session.textOf(session.dlc().execute(new ConfigOperation.Export(backup)));
        } catch (NoServiceException e) {
            return session.complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            if (backup || session.isJson()) {
                // Errors are no backup: whoever imports them later has lost a configuration.
                return session.fail(e);
            }
            text = withoutLnet(e.failure());
        }
        String file = ImportCommands.file(line);
        if (file == null) {
            session.out().print(text);
            return Exit.OK;
        }
        try {
            OutputFile.write(Path.of(file), text);
            return Exit.OK;
        } catch (IOException e) {
            return session.complain(
                    Exit.NOT_THERE,
                    "export: " + file + " can not be written: " + FileReason.ofWriting(Path.of(file), e));
        }
    }

    /** What has always been written where LNet is not configured: an error for each section (spec 12 §6). */
    private static String withoutLnet(Failure why) {
        StringBuilder text = new StringBuilder();
        for (String entity : List.of("net", "route")) {
            text.append(ErrorText.explicit(new Failure("show", entity, why.errno(), why.text(), List.of())));
        }
        for (String entity : List.of("routing", "global", "udsp")) {
            text.append(ErrorText.nested(new Failure("show", entity, why.errno(), why.text(), List.of())));
        }
        return text.toString();
    }
}
