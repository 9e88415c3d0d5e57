package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;

/** The NID of a group of interfaces, whatever becomes of the interface that gave it (spec 21 cb-003, cb-007). */
final class GroupNidTest {
    private BondWorld world = new BondWorld("", Map.of());

    @BeforeEach
    void configure() {
        good("lnet configure");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private String good(String line) {
        return world.good(line);
    }

    private String wrong(String line) {
        World.Result result = world.run(line);
        assertThat(result.exit()).as(line).isNotZero();
        return result.err();
    }

    private void read(String document) {
        World.Result result = world.run("import", document);
        assertThat(result.exit()).as(result.err()).isZero();
    }

    private void again() {
        world.close();
        world = new BondWorld("", Map.of());
        good("lnet configure");
    }

    private List<String> shown() {
        return good("net show --net o2ib")
                .lines()
                .filter(line -> line.matches(" *(- )? *([0-9]|nid|group nid): .*"))
                .map(line -> line.replaceFirst("^[- ]+", ""))
                .toList();
    }

    @Test
    @Requirement({"cb-003", "cb-007", "cb-104"})
    void staysWhenTheFirstInterfaceLeaves() {
        good("net add --net o2ib --if ib0,ib1,ib2 --bond");
        assertThat(shown()).containsExactly("nid: 10.1.0.2@o2ib", "0: ib0", "1: ib1", "2: ib2");
        String whole = good("export --backup");
        assertThat(whole).doesNotContain("10.1.0.2");
        good("net del --net o2ib --if ib0");
        assertThat(good("net show --net o2ib")).isEqualTo("""
            net:
            -     net type: o2ib
                  local NI(s):
                  -     nid: 10.1.0.2@o2ib
                        status: up
                        interfaces:
                              0: ib1
                              1: ib2
                        bonding: true
                        group nid: 10.1.0.2@o2ib
            """);
        good("undo");
        assertThat(shown()).containsExactly("nid: 10.1.0.2@o2ib", "0: ib0", "1: ib1", "2: ib2");
        assertThat(good("export --backup")).isEqualTo(whole);
        good("net del --net o2ib --if ib0");
        good("net add --net o2ib --if ib0 --bond");
        assertThat(shown())
                .as("it comes back as the last one")
                .containsExactly("nid: 10.1.0.2@o2ib", "0: ib1", "1: ib2", "2: ib0", "group nid: 10.1.0.2@o2ib");
        good("net del --net o2ib --if ib1,ib2");
        assertThat(good("export --backup")).contains("0: ib0").doesNotContain("10.1.0.2");
    }

    @Test
    @Requirement({"cb-007", "cb-104"})
    void comesBackWithWhatWasExported() {
        good("net add --net o2ib --if ib0,ib1,ib3 --bond");
        good("net del --net o2ib --if ib0");
        for (String export : List.of("export --backup", "export", "net show")) {
            String document = good(export);
            again();
            read(document);
            assertThat(shown())
                    .as(export)
                    .containsExactly("nid: 10.1.0.2@o2ib", "0: ib1", "1: ib3", "group nid: 10.1.0.2@o2ib");
        }
        good("net del --net o2ib --if ib1");
        String one = good("export --backup");
        assertThat(one).contains("0: ib3", "group nid: 10.1.0.2@o2ib");
        again();
        read(one);
        assertThat(good("export --backup")).isEqualTo(one);
        good("net del --net o2ib");
        good("undo");
        assertThat(shown()).containsExactly("nid: 10.1.0.2@o2ib", "0: ib3", "group nid: 10.1.0.2@o2ib");
        assertThat(world.run("import --check", one).err()).contains("is an NI of o2ib already");
        assertThat(world.run("import --del", one).exit()).isZero();
        assertThat(good("net show")).doesNotContain("o2ib");
    }

    @Test
    @Requirement({"cb-003", "cb-007"})
    void isTheFirstInterfacesOnAnotherMachine() {
        read("""
            net:
            - net type: o2ib
              local NI(s):
              - nid: 10.9.9.9@o2ib
                status: up
                interfaces:
                  0: ib2
                  1: ib1
                bonding: true
            """);
        assertThat(shown()).containsExactly("nid: 10.1.2.2@o2ib", "0: ib2", "1: ib1");
    }

    @Test
    @Requirement({"cb-003", "cb-007"})
    void canBeChosen() {
        good("net add --net o2ib --if ib1,ib2 --bond --nid 10.1.0.77@o2ib");
        assertThat(shown()).containsExactly("nid: 10.1.0.77@o2ib", "0: ib1", "1: ib2", "group nid: 10.1.0.77@o2ib");
        good("net add --net o2ib --if ib3 --bond --nid 10.1.0.77@o2ib");
        assertThat(shown()).contains("2: ib3");
        good("net add --net o2ib --if ib0 --bond --nid 10.1.0.78@o2ib");
        assertThat(shown()).contains("nid: 10.1.0.78@o2ib");
        good("net del --nid 10.1.0.77@o2ib");
        assertThat(shown()).containsExactly("nid: 10.1.0.78@o2ib", "0: ib0", "group nid: 10.1.0.78@o2ib");
    }

    @Test
    @Requirement("cb-106")
    void thatCanNotBeOne() {
        assertThat(wrong("net add --net o2ib --if ib1 --bond --nid 10.1.0.2@o2ib1"))
                .contains("10.1.0.2@o2ib1 for a group on o2ib; expected one NID there", "errno: -22");
        assertThat(wrong("net add --net o2ib --if ib1 --bond --nid 10.1.0.2@o2ib,10.1.0.3@o2ib"))
                .contains("expected one NID there");
        assertThat(wrong("net add --net o2ib --if ib1 --bond --nid 0.0.0.0@o2ib"))
                .contains("0.0.0.0@o2ib can not be the NID of a group");
        assertThat(wrong("net add --net o2ib --if ib1 --bond --nid fe80::1@o2ib"))
                .contains("can not be the NID of a group");
        assertThat(wrong("net add --bond --nid 10.1.0.2@o2ib")).contains("channel bonding needs a net");
        assertThat(wrong("net add --bond --ip2net 'o2ib(ib0) 10.9.*.*'")).contains("errno: -");
        good("net add --net o2ib --if ib0,ib1 --bond");
        good("net del --net o2ib --if ib0");
        assertThat(wrong("net add --net o2ib --if ib2 --bond --nid 10.1.0.3@tcp"))
                .contains("expected one NID there");
        String ni = "net:\n- net type: %s\n  interfaces:\n    0: ib2\n  bonding: %s\n  group nid: %s\n";
        assertThat(world.run("import", ni.formatted("o2ib", "true", "10.1.0.2@o2ib"))
                        .err())
                .contains("NI 10.1.0.2@o2ib is there already");
        assertThat(world.run("import", ni.formatted("o2ib", "false", "10.1.0.9@o2ib"))
                        .err())
                .contains("stdin:6:14", "'group nid' on an NI that is no group");
        assertThat(world.run("import", ni.formatted("o2ib", "true", "10.1.0.9@tcp"))
                        .err())
                .contains("stdin:6:14", "expected a NID on o2ib");
        assertThat(world.run("import", ni.formatted("o2ib", "true", "nobody")).err())
                .contains("invalid value 'nobody'", "expected a NID on o2ib, such as");
        assertThat(world.run("import", "net:\n- net type: o2ib\n  nid: 10.1.2.2@o2ib\n  group nid: 10.1.2.2@o2ib\n")
                        .err())
                .contains("'group nid' on an NI that is no group");
    }

    @Test
    @Requirement({"cb-102", "cb-105", "cb-142"})
    void thatNobodyHasIsTold() {
        good("net add --net o2ib --if ib0,ib1 --bond");
        assertThat(good("net_status")).doesNotContain("reached:");
        good("net del --net o2ib --if ib0");
        assertThat(good("net_status"))
                .contains("reached: by targets only, as no interface that works has the address of the NID");
        assertThat(good("o2ibs check")).contains("id: cb-142", "subject: 10.1.0.2@o2ib", "add a target with 10.1.1.2");
        good("net add --net o2ib --if ib0 --bond");
        assertThat(good("o2ibs check")).doesNotContain("cb-142");
        world.link(0, false);
        assertThat(good("net_status")).contains("reached: by targets only");
    }
}
