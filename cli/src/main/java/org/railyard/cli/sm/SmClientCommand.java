package org.railyard.cli.sm;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.JsonText;
import org.railyard.base.text.YamlText;
import org.railyard.cli.service.NoServiceException;
import org.railyard.cli.service.RunningNode;
import org.railyard.control.DlcException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** A command that asks a running subnet manager. */
abstract class SmClientCommand implements Callable<Integer> {
    private static final int REFUSED = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ParentCommand
    private @Nullable SmCommand sm;

    @Mixin
    private SmSocketOption socket = new SmSocketOption();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** Asks and prints. */
    abstract void run() throws InterruptedException;

    @Override
    public Integer call() throws InterruptedException {
        try {
            run();
            return 0;
        } catch (NoServiceException e) {
            return failed(e.text());
        } catch (DlcException e) {
            return failed(e.failure().text());
        }
    }

    private int failed(String text) {
        spec.commandLine().getErr().println("railyard: " + text);
        return REFUSED;
    }

    boolean isJson() {
        return json;
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    CommandSpec spec() {
        return spec;
    }

    Map<String, Object> ask(String request, Map<String, Object> fields) {
        return RunningNode.postToSm(toAsk(), request, fields);
    }

    /** Returns the socket that was named, before the subcommand or behind it: another one is another subnet. */
    private Path toAsk() {
        return socket.isNamed() || sm == null ? socket.toAsk() : sm.socketToAsk();
    }

    void print(Map<String, Object> document) {
        if (json) {
            out().println(JsonText.of(document));
        } else {
            out().print(YamlText.of(document, YamlText.Layout.NARROW));
        }
        out().flush();
    }
}
