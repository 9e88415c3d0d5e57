package org.railyard.cli.lnetctl;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.railyard.base.tune.TunableTable;
import org.railyard.control.LenientSetting;
import org.railyard.ibverbs.IbvTunable;
import org.railyard.lnet.api.Tunable;
import org.railyard.roce.api.RoceTunable;
import org.railyard.socklnd.tune.SockTunable;

/** The page of tunables, made from their specifications. */
final class TunablesPage {
    private TunablesPage() {}

    static String markdown() {
        return """
                # Tunables

                Made from the specifications of the tunables in the code. `lnetctl set --help` and `man lnetd` say the same. Tunables of o2iblnd: [o2ib-tunables.md](o2ib-tunables.md).

                A value out of range is refused with the range, in files, by `lnetd --param` and by `lnetctl set`; the few that `lnetctl set` takes, as Lustre's tool does, are listed
                [below](#what-set-takes-beyond-the-range). *Module parameter only*: `lnetd --param NAME=VALUE`, not while the node runs. *Per NI*: nets and NIs may have their own
                value (`tunables`, `lnd tunables`). *Adjusted*: brought into the range. *Railyard only*: kernel nodes do not have it.

                ## LNet

                `lnetctl set NAME VALUE`, the sections `global` and `java` of a [file](configuration.md), or `lnetd --param NAME=VALUE`, which takes the names of module parameters, too. The
                defaults are those of the profile `railyard`; the others are listed with the [profiles](configuration.md#profiles).

                """
                + TunableTable.markdown(List.of(Tunable.values()))
                + """

                ### What set takes beyond the range

                For scripts that rely on it, with exit code 0. In the section `global` of a file `recovery_interval` may have any value, too, without effect.

                """
                + Arrays.stream(LenientSetting.values())
                        .map(each -> "- `" + each.tunable().text() + "`: " + each.text() + "\n")
                        .collect(Collectors.joining())
                + """

                ## socklnd

                `lnetd --param NAME=VALUE`.

                """
                + TunableTable.markdown(List.of(SockTunable.values()))
                + """

                ## ibv

                `lnetd --verbs ibv --param ibv.NAME=VALUE`, or `--verbs auto`. What each means: [cards](infiniband.md#memory-of-messages).

                """
                + TunableTable.markdown(List.of(IbvTunable.values()))
                + """

                ## roce

                `lnetd --verbs roce:… --param roce.NAME=VALUE`. When they pay: [RoCE](roce.md#how-fast).

                """
                + TunableTable.markdown(List.of(RoceTunable.values()));
    }
}
