package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.control.Dlc;
import org.railyard.control.Operation;
import org.railyard.testkit.Requirement;

/**
 * What the tool changes, it changes by one operation of {@code Dlc} a command, which says of itself that it is a
 * change.
 */
final class EachChangeIsAnOperationTest {
    private static final List<String> COMMANDS = List.of(
            "lnet configure",
            "net show",
            "net add --net tcp --if eth0,eth1",
            "net set --net tcp --conns-per-peer 2",
            "net show -v 4",
            "peer add --prim_nid 127.99.0.12@tcp --nid 127.99.1.12@tcp",
            "peer show -v 4",
            "peer list",
            "route add --net tcp5 --gateway 127.99.0.12@tcp",
            "route show -v",
            "udsp add --src tcp --priority 0",
            "udsp show",
            "bond add --name a --type local --nid 127.99.0.11@tcp",
            "bond set --name a --policy ordered",
            "bond show",
            "bond del --name a --nid 127.99.0.11@tcp",
            "bond del --name a",
            "set numa_range 3",
            "set routing 1",
            "global show -v",
            "routing show",
            "export",
            "import",
            "undo",
            "udsp del --idx 0",
            "route del --net tcp5 --gateway 127.99.0.12@tcp",
            "peer del --prim_nid 127.99.0.12@tcp",
            "net del --net tcp",
            "lnet unconfigure");

    @Test
    @Requirement({"cfg-005", "dbg-080"})
    void nothingChangesWithoutOne() throws IOException {
        try (World world = new World()) {
            List<Operation> operations = new ArrayList<>();
            String before = backup(world);
            for (String line : COMMANDS) {
                operations.clear();
                StringWriter err = new StringWriter();
                Dlc node = world.dlc("guest1");
                int exit = Lnetctl.run(
                        Words.of(line),
                        new BufferedReader(new StringReader("numa: {range: 9}")),
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err),
                        () -> "test",
                        () -> operation -> {
                            operations.add(operation);
                            return node.execute(operation);
                        });
                assertThat(exit).as(line + ": " + err).isZero();
                String after = backup(world);
                assertThat(operations).as(line).hasSize(1);
                assertThat(operations.getFirst().isChange()).as(line).isEqualTo(!after.equals(before));
                before = after;
            }
        }
    }

    private static String backup(World world) {
        return world.run("export --backup").out();
    }
}
