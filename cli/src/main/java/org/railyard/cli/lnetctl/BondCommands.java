package org.railyard.cli.lnetctl;

import java.util.List;
import org.railyard.control.BondOperation;

/** {@code bond}: LNet's bonds (spec 21 §10.1). Channel bonding is {@code net add --bond} and {@code o2ibs}. */
final class BondCommands {
    private static final Opt NAME = Opt.value("name", (char) 0, "NAME", "name of the bond");
    private static final Opt POLICY =
            Opt.value("policy", 'p', "POLICY", "how one NID is chosen: default, balanced, round-robin or ordered");

    private BondCommands() {}

    static List<Command> all() {
        return List.of(
                new Command(
                        "bond",
                        "add",
                        "",
                        "put NIDs together, of this node or of peers, or add some",
                        List.of(
                                NAME,
                                Opt.value("type", 't', "local|remote", "whose NIDs they are"),
                                Opt.value("nid", (char) 0, "LIST", "NIDs, such as 10.0.0.[5-6]@tcp,10.1.0.5@o2ib"),
                                POLICY),
                        (line, session) -> requireName(line, session, "add")
                                ? session.run(new BondOperation.Add(
                                        line.get("name"), line.get("type"), line.get("nid"), line.get("policy")))
                                : Exit.FAILED),
                new Command(
                        "bond",
                        "del",
                        "",
                        "delete a bond, or take NIDs from it",
                        List.of(NAME, Opt.value("nid", (char) 0, "LIST", "NIDs; none for the whole bond")),
                        (line, session) -> requireName(line, session, "del")
                                ? session.run(new BondOperation.Delete(line.get("name"), line.get("nid")))
                                : Exit.FAILED),
                new Command(
                        "bond",
                        "set",
                        "",
                        "change the policy of a bond",
                        List.of(NAME, POLICY),
                        (line, session) -> requireName(line, session, "set")
                                ? session.run(new BondOperation.Set(line.get("name"), line.get("policy")))
                                : Exit.FAILED),
                new Command(
                        "bond",
                        "show",
                        "",
                        "show bonds and their NIDs",
                        List.of(NAME),
                        (line, session) -> session.run(new BondOperation.Show(line.get("name")))));
    }

    private static boolean requireName(ParsedLine line, Session session, String action) {
        if (!line.has("name")) {
            session.complain(Exit.FAILED, "bond " + action + ": which bond is missing; say --name NAME");
            return false;
        }
        return true;
    }
}
