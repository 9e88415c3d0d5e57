package org.railyard.cli.lnetctl;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.NiGroups;
import org.railyard.config.parameter.Conversion;
import org.railyard.control.DlcException;

/** {@code convert}: module parameters as YAML. Needs no service. */
final class ConvertCommands {
    private ConvertCommands() {}

    static LnetctlGroup group() {
        return LnetctlGroup.of(new Command(
                "convert",
                "",
                "",
                "write the YAML that says the same as the parameters networks, ip2nets and routes",
                List.of(
                        Opt.value("networks", 'n', "TEXT", "such as 'tcp0(eth0[0],eth1),o2ib3(ib0)'"),
                        Opt.value("ip2nets", 'i', "TEXT", "such as 'tcp(eth1) 10.1.*.[1-50/2]; o2ib 10.2.*.*'"),
                        Opt.value("routes", 'r', "TEXT", "such as 'o2ib[1-2] 1 10.1.0.[1-3]@tcp:1'"),
                        Opt.value(
                                NiGroups.BONDING,
                                'b',
                                "N",
                                "1 makes the interfaces of a net of type o2ib one NI; 0 by default")),
                ConvertCommands::convert));
    }

    private static int convert(ParsedLine line, Session session) {
        if (!line.has("networks") && !line.has("ip2nets") && !line.has("routes")) {
            return session.complain(Exit.FAILED, "convert: what is missing; say --networks, --ip2nets or --routes");
        }
        try {
            session.print(Conversion.document(
                    text(line.get("networks")),
                    text(line.get("ip2nets")),
                    text(line.get("routes")),
                    line.has(NiGroups.BONDING)
                            && NiGroups.isDefault(Map.of(NiGroups.BONDING, text(line.get(NiGroups.BONDING)))),
                    warning -> session.warn("convert: " + warning)));
            return Exit.OK;
        } catch (ErrnoException e) {
            return session.complain(Exit.FAILED, "convert: " + DlcException.textOf(e));
        }
    }

    private static String text(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }
}
