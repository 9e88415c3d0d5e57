package org.railyard.cli.node;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** Reads the targets of a command: NIDs, lists and ranges of NIDs, host names (spec 12 §2.4, §2.6). */
final class TargetReader {
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(@[A-Za-z0-9]+)?");

    private TargetReader() {}

    /**
     * Returns the NIDs, in the order of the arguments.
     *
     * @throws NidFormatException if an argument is none of these
     */
    static List<Nid> parse(List<String> arguments) {
        List<Nid> nids = new ArrayList<>();
        for (String argument : arguments) {
            nids.addAll(parse(argument));
        }
        if (nids.size() > NidList.MAX_NIDS) {
            throw new NidFormatException(
                    String.join(" ", arguments), 1, "at most " + NidList.MAX_NIDS + " NIDs, not " + nids.size());
        }
        return nids;
    }

    private static List<Nid> parse(String argument) {
        try {
            return NidList.parse(argument).nids();
        } catch (NidFormatException e) {
            if (!HOST_NAME.matcher(argument).matches() || !containsLetter(argument)) {
                throw e;
            }
            return List.of(resolve(argument));
        }
    }

    private static boolean containsLetter(String argument) {
        int at = argument.indexOf('@');
        return argument.substring(0, at < 0 ? argument.length() : at).chars().anyMatch(Character::isLetter);
    }

    private static Nid resolve(String argument) {
        int at = argument.indexOf('@');
        String host = at < 0 ? argument : argument.substring(0, at);
        Net net = at < 0 ? Net.TCP : Net.parse(argument.substring(at + 1));
        try {
            return Nid.of(net, InetAddress.getByName(host).getAddress());
        } catch (UnknownHostException e) {
            throw new NidFormatException(
                    argument, 1, "a NID such as 10.0.0.1@tcp, or the name of a host that can be looked up");
        }
    }
}
