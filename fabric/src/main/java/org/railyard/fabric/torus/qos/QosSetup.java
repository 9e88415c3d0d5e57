package org.railyard.fabric.torus.qos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.fabric.format.OpenSmConf.Setting;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.conf.CNumber;
import org.railyard.fabric.torus.conf.TorusConf;

/**
 * What a subnet manager must be told besides the torus: writes the files that go with torus-2QoS, and reads a
 * configuration to judge it (spec 31 §7).
 */
public final class QosSetup {
    private static final int LEVEL_ONE_SL = 8;
    private static final int MAX_VLS = 15;
    private static final int SLS = 16;
    private static final int UNLIMITED = 255;

    private QosSetup() {}

    /**
     * Returns lines for OpenSM's configuration file with which {@link #warnings} has nothing to say: no other engine as
     * a substitute, equal weights within each level.
     *
     * @param torusConf path of the torus-2QoS.conf
     */
    public static String openSmConf(String torusConf) {
        String between = vlArb(8, 64);
        return """
            routing_engine torus-2QoS,no_fallback
            torus_config %s
            qos TRUE
            qos_swe_max_vls 8
            qos_swe_high_limit 255
            qos_swe_vlarb_high %s
            qos_swe_vlarb_low %s
            %s\
            """.formatted(
                        torusConf,
                        between,
                        vlArb(8, 16),
                        Stream.of("qos_ca", "qos_sw0", "qos_rtr")
                                .map(prefix ->
                                        "%1$s_max_vls 2\n%1$s_high_limit 255\n%1$s_vlarb_high %2$s\n%1$s_vlarb_low %3$s\n"
                                                .formatted(prefix, vlArb(2, 64), vlArb(2, 16)))
                                .collect(Collectors.joining()));
    }

    private static String vlArb(int vls, int weight) {
        return IntStream.range(0, vls).mapToObj(vl -> vl + ":" + weight).collect(Collectors.joining(","));
    }

    /**
     * Returns a partitions.conf with the default partition on level 0 and one on level 1. The SL of a partition is that
     * of its multicast groups, so it has no dateline bits.
     *
     * @param pkey of the second partition, 1 to 0x7ffe
     */
    public static String partitions(int pkey) {
        return "Default=0x7fff, ipoib, sl=0 : ALL=full ;\nLevel1=0x%04x, ipoib, sl=%d, defmember=full : ALL ;\n"
                .formatted(pkey, LEVEL_ONE_SL);
    }

    /** Returns a QoS policy that gives level 1 to a partition. */
    public static String policy(int pkey) {
        return "qos-ulps\n    any, pkey 0x%04x : %d\n    default          : 0\nend-qos-ulps\n"
                .formatted(pkey, LEVEL_ONE_SL);
    }

    /**
     * Returns one line for each setting with which torus-2QoS does not run, or cannot keep its promises.
     *
     * @throws FormatException if a value is none that OpenSM could read; with its line
     */
    public static List<String> warnings(OpenSmConf conf) {
        List<String> warnings = new ArrayList<>();
        String engines = conf.find("routing_engine").map(Setting::value).orElse("");
        List<String> names = List.of(engines.split("[,\\s]+", -1));
        if (names.stream().noneMatch(name -> name.equalsIgnoreCase(TorusConf.ENGINE))) {
            warnings.add("warning: routing_engine is \"" + engines + "\", torus-2QoS is not asked for");
        } else if (!names.contains("no_fallback")) {
            warnings.add(
                    "warning: routing_engine has no no_fallback: if the torus is refused, another engine takes over,"
                            + " and applications go on with SLs that close credit loops there");
        }
        boolean qos = conf.find("qos")
                .map(setting -> setting.value().toUpperCase(Locale.ROOT).equals("TRUE"))
                .orElse(false);
        if (!qos) {
            warnings.add("warning: qos is not TRUE: OpenSM refuses torus-2QoS unless it is started with -Q");
        }
        settings(conf).findings().forEach(each -> warnings.add("warning: " + each.in(conf) + " " + each.text()));
        return warnings;
    }

    /**
     * Returns the settings of the kinds of ports; what is not told is as OpenSM has it by itself.
     *
     * @throws FormatException if a value is none that OpenSM could read; with its line
     */
    public static QosSettings settings(OpenSmConf conf) {
        return new QosSettings(
                ports(conf, "qos_swe"), ports(conf, "qos_ca"), ports(conf, "qos_sw0"), ports(conf, "qos_rtr"));
    }

    /**
     * Returns what the high table of a kind of port may send while the low one waits, in units of 4 KiB: 0 = one
     * packet, 255 = no limit.
     *
     * @param prefix of the kind, such as {@code qos_swe}
     * @throws FormatException if the value is not 0 to 255; with its line
     */
    public static int highLimit(OpenSmConf conf, String prefix) {
        return read(
                conf,
                prefix,
                "_high_limit",
                text -> {
                    long limit = CNumber.parse(text, 0, text.length());
                    if (limit < 0 || limit > UNLIMITED) {
                        throw new FormatException(1, 1, text, "0 to " + UNLIMITED);
                    }
                    return (int) limit;
                },
                0);
    }

    private static QosSettings.Ports ports(OpenSmConf conf, String prefix) {
        QosSettings.Ports defaults = QosSettings.Ports.DEFAULT;
        return new QosSettings.Ports(
                read(conf, prefix, "_max_vls", QosSetup::maxVls, defaults.maxVls()),
                read(conf, prefix, "_vlarb_high", VlArbTable::parse, defaults.high()),
                read(conf, prefix, "_vlarb_low", VlArbTable::parse, defaults.low()),
                read(conf, prefix, "_sl2vl", text -> OptionalLong.of(slToVl(text)), defaults.slToVl()));
    }

    /** What one kind of port is not told it takes from the settings for all. */
    private static <T> T read(OpenSmConf conf, String prefix, String name, Function<String, T> parser, T otherwise) {
        return conf.find(prefix + name)
                .or(() -> conf.find("qos" + name))
                .map(setting -> {
                    try {
                        return parser.apply(setting.value());
                    } catch (FormatException e) {
                        throw new FormatException(
                                setting.line(), setting.column() + e.column() - 1, e.found(), e.expected());
                    }
                })
                .orElse(otherwise);
    }

    private static int maxVls(String text) {
        long vls = CNumber.parse(text, 0, text.length());
        if (vls < 0 || vls > MAX_VLS) {
            throw new FormatException(1, 1, text, "0 to " + MAX_VLS + " VLs");
        }
        // OpenSM takes 0 for "not told".
        return vls == 0 ? MAX_VLS : (int) vls;
    }

    /** Reads 16 VLs by SL; packets of VL 15 are dropped. */
    private static long slToVl(String text) {
        String[] words = text.split(",", -1);
        int[] vls = new int[SLS];
        int column = 1;
        for (int sl = 0; sl < words.length; sl++) {
            String word = words[sl].strip();
            long vl = CNumber.parse(word, 0, word.length());
            if (vl < 0 || vl > SlToVl.DROP || sl == SLS) {
                throw new FormatException(1, column, words[sl], "16 VLs, 0 to " + SlToVl.DROP);
            }
            vls[sl] = (int) vl;
            column += words[sl].length() + 1;
        }
        if (words.length < SLS) {
            throw new FormatException(1, 1, words.length + " VLs", "16 VLs, 0 to " + SlToVl.DROP);
        }
        return SlToVl.pack(vls);
    }
}
