package org.railyard.control.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** Reads nets and NIDs as people write them (spec 12 §2.4, §7.4). */
final class Nids {
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(@[A-Za-z0-9]+)?");
    private static final Pattern NUMBER_AT_END = Pattern.compile("[0-9]+$");

    private Nids() {}

    /**
     * Reads the name of a net.
     *
     * @throws ErrnoException ENOENT if no net is called so; EINVAL if only its number is wrong
     */
    static Net net(String text) {
        try {
            return Net.parse(text.strip());
        } catch (NidFormatException e) {
            boolean onlyNumber =
                    isNet(NUMBER_AT_END.matcher(text.strip()).replaceFirst("").toLowerCase(Locale.ROOT));
            throw new ErrnoException(
                    onlyNumber ? Errno.EINVAL : Errno.ENOENT,
                    "no net " + e.getMessage() + "; nets are tcp, tcp1, o2ib …",
                    e);
        }
    }

    private static boolean isNet(String text) {
        try {
            return !text.isEmpty() && !Net.parse(text).equals(Net.LO);
        } catch (NidFormatException e) {
            return false;
        }
    }

    /**
     * Reads a NID; without a net it is on tcp.
     *
     * @throws ErrnoException EINVAL if it is none, or the wildcard
     */
    static Nid nid(String text) {
        try {
            Nid nid = Nid.parse(text.strip());
            if (!nid.isAny()) {
                return nid;
            }
        } catch (NidFormatException e) {
            throw new ErrnoException(Errno.EINVAL, "no NID: " + e.getMessage(), e);
        }
        throw new ErrnoException(Errno.EINVAL, "'" + text + "' stands for all NIDs; expected one");
    }

    /**
     * Reads a list of NIDs with ranges.
     *
     * @throws ErrnoException EINVAL if it is none, or too long
     */
    static List<Nid> list(String text) {
        try {
            return NidList.parse(text).nids();
        } catch (NidFormatException e) {
            throw new ErrnoException(Errno.EINVAL, "no list of NIDs: " + e.getMessage(), e);
        }
    }

    /**
     * Reads targets: lists of NIDs with ranges, and names of hosts.
     *
     * @throws ErrnoException EINVAL if one is none of these, or there are too many
     */
    static List<Nid> targets(List<String> texts, NodeEnvironment machine) {
        List<Nid> nids = new ArrayList<>();
        for (String text : texts) {
            nids.addAll(target(text, machine));
        }
        if (nids.size() > NidList.MAX_NIDS) {
            throw new ErrnoException(Errno.EINVAL, nids.size() + " NIDs at once; expected at most " + NidList.MAX_NIDS);
        }
        return nids;
    }

    private static List<Nid> target(String text, NodeEnvironment machine) {
        try {
            return NidList.parse(text).nids();
        } catch (NidFormatException e) {
            int at = text.indexOf('@');
            String host = at < 0 ? text : text.substring(0, at);
            byte[] address = HOST_NAME.matcher(text).matches() && host.chars().anyMatch(Character::isLetter)
                    ? machine.addressOf(host)
                    : null;
            if (address == null) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        "'" + text + "' is neither a list of NIDs nor the name of a host: " + e.getMessage(),
                        e);
            }
            return List.of(Nid.of(at < 0 ? Net.TCP : net(text.substring(at + 1)), address));
        }
    }
}
