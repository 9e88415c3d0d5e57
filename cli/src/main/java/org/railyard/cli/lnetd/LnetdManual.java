package org.railyard.cli.lnetd;

import java.util.List;
import org.railyard.base.tune.TunableKey;
import org.railyard.cli.text.Manual;
import org.railyard.cli.text.SpecManual;
import org.railyard.ibverbs.IbvTunable;
import org.railyard.lnet.api.Tunable;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.roce.api.RoceTunable;
import org.railyard.socklnd.tune.SockTunable;
import picocli.CommandLine.Model.CommandSpec;

/** The manual page of the daemon, made of its options, for {@code man}. */
final class LnetdManual {
    private LnetdManual() {}

    /** Returns the page in the language of {@code man}. */
    static String of(CommandSpec spec) {
        Manual page = new Manual("lnetd", "run an LNet node as a service")
                .synopsis("[OPTION ...]")
                .section("DESCRIPTION")
                .paragraph("Runs an LNet node in user space until it is told to end, and lets lnetctl control it. The"
                        + " first start reads the configuration; what is changed later is kept, and counts at"
                        + " the next start. Whoever kills it at any moment finds the configuration from before"
                        + " the last change or the one after it.")
                .paragraph(
                        "It needs no privilege, unless it is to listen on ports below 1024 or to dial from them, which"
                                + " kernel nodes expect.")
                .section("OPTIONS");
        SpecManual.options(page, spec);
        parameters(page, "MODULE PARAMETERS OF LNET", List.of(Tunable.values()));
        parameters(page, "MODULE PARAMETERS OF SOCKLND", List.of(SockTunable.values()));
        parameters(page, "MODULE PARAMETERS OF O2IBLND, BEHIND o2iblnd.", List.of(O2ibTunable.values()));
        parameters(page, "MODULE PARAMETERS OF CARDS, BEHIND ibv.", List.of(IbvTunable.values()));
        parameters(page, "MODULE PARAMETERS OF ROCE, BEHIND roce.", List.of(RoceTunable.values()));
        return page.section("SIGNALS")
                .term("TERM, INT", "It stops to listen, stops the node, and ends.")
                .section("EXIT STATUS")
                .term("0", "It ended as told; after a signal 128 and the signal's number.")
                .term("1", "It could not start; standard error tells why.")
                .section("ENVIRONMENT")
                .term("RAILYARD_SOCKET", "The control socket, without --socket.")
                .term("STATE_DIRECTORY", "The folder for what is kept, without --state; set by systemd.")
                .term("NOTIFY_SOCKET", "Who is told that it is ready; set by systemd.")
                .section("FILES")
                .term("/etc/lnet.conf", "The configuration for the first start.")
                .term("lnetd.yaml", "In the folder of --state: the configuration as it is now.")
                .term("lnetd.yaml.previous", "The configuration before the last change, for when that one is damaged.")
                .section("EXAMPLES")
                .example(List.of(
                        "lnetd --metrics 9500",
                        "lnetd --config client.yaml --param accept_port=9988 --param accept_port_bulk=9988"
                                + " --param accept=all --any-source-port"))
                .seeAlso("lnetctl");
    }

    /** They are given with --param NAME=VALUE. */
    private static void parameters(Manual page, String title, List<? extends TunableKey> tunables) {
        page.section(title);
        tunables.forEach(each -> page.term(each.spec().parameter(), each.spec().summary() + "."));
    }
}
