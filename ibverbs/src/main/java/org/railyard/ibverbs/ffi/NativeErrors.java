package org.railyard.ibverbs.ffi;

import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsException.Code;

/** Numbers of the system as exceptions (spec 24 §9.2). */
final class NativeErrors {

    private static final Map<Integer, Code> CODES = Map.of(
            Errno.EPERM.number(),
            Code.EPERM,
            Errno.EIO.number(),
            Code.EIO,
            Errno.ENOMEM.number(),
            Code.ENOMEM,
            VerbsNumbers.EACCES,
            Code.EACCES,
            Errno.ENODEV.number(),
            Code.ENODEV,
            Errno.EINVAL.number(),
            Code.EINVAL,
            Errno.EOPNOTSUPP.number(),
            Code.EOPNOTSUPP,
            Errno.EADDRINUSE.number(),
            Code.EADDRINUSE,
            Errno.EADDRNOTAVAIL.number(),
            Code.EADDRNOTAVAIL,
            Errno.ETIMEDOUT.number(),
            Code.ETIMEDOUT);

    private NativeErrors() {}

    static VerbsException exception(String what, int errno) {
        if (errno == Errno.EAGAIN.number()) {
            // The kernel says so of objects of cards when the rdma controller of cgroups counts one too many.
            return new VerbsException(
                    Code.EAGAIN,
                    what + " (errno " + errno + "): the cgroup of this process may allow no more: see rdma.max");
        }
        if (errno == Errno.EMFILE.number() || errno == Errno.ENFILE.number()) {
            return new VerbsException(
                    Code.EIO,
                    what + " (errno " + errno + "): no file descriptor is left; raise the limit (ulimit -n, or"
                            + " LimitNOFILE of the service)");
        }
        Code code = CODES.get(errno);
        return code == null
                ? new VerbsException(Code.EIO, what + " (errno " + errno + ")")
                : new VerbsException(code, what);
    }
}
