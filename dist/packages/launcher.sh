#!/bin/sh
# Runs railyard, or the tool by whose name it is called: lnetd, lnetctl, lst.
#
# RAILYARD_JAVA_OPTS   more options for the JVM, separated by blanks
set -eu

self=$0
while [ -h "$self" ]; do
    link=$(readlink "$self")
    case $link in
        /*) self=$link ;;
        *) self=${self%/*}/$link ;;
    esac
done
# Tells whether no word asks for many failures at once.
is_one_by_one() {
    for word; do
        case $word in
            --pairs | --pairs=* | --triples | --triples=*) return 1 ;;
        esac
    done
}

# Tells whether the words after the first two, a command, name files or directories, no file has more than so many blocks
# of 512 bytes, and none is written.
is_short() {
    most=$1
    short=no
    shift 3
    for word; do
        case $word in
            - | --out | --out=*) return 1 ;;
            -*) ;;
            *)
                [ -e "$word" ] || continue
                [ -z "$(find "$word" -type f -size +"$most")" ] || return 1
                short=yes
                ;;
        esac
    done
    [ "$short" = yes ]
}

# Tells whether the words after the first two, a command of the lab, ask for at most a hundred seeds, as none does, or
# forty of a scenario whose runs take some five times as long as others'. The second compiler pays behind that.
are_few_seeds() {
    seeds=1-100
    few=100
    shift 2
    while [ $# -gt 0 ]; do
        case $1 in
            router-farm | selftest | torus-switch-failure) few=40 ;;
            --seed=* | --seeds=*) seeds=${1#*=} ;;
            --seed | --seeds) seeds=${2:-} ;;
        esac
        shift
    done
    case $seeds in
        '' | *[!0-9-]* | *-*-* | -* | *- | 0?* | *-0?* | ??????????*-* | *-??????????*) return 1 ;;
        *-*) [ $((${seeds#*-} - ${seeds%-*})) -lt "$few" ] ;;
    esac
}

# Tells whether the kernel gives large pages to who asks; asking where it does not makes the JVM complain.
has_large_pages() {
    pages=never
    [ ! -r /sys/kernel/mm/transparent_hugepage/enabled ] || read -r pages </sys/kernel/mm/transparent_hugepage/enabled
    case $pages in
        *'[madvise]'* | *'[always]'*) return 0 ;;
    esac
    return 1
}

case $self in
    */*) home=${self%/*}/.. ;;
    *) home=.. ;;
esac

cache=$home/cache/railyard.aot
heap=
name=${0##*/}
tool=$name
[ "$name" != railyard ] || tool=${1:-}
if [ "$tool" = lnetctl ]; then
    cache=$home/cache/lnetctl.aot
    # Its life is too short for the second compiler to pay, for compiling what runs some hundred times, for a file that
    # tells others how it is, or for calls by reflection that are fast the second time. The cache is taken as it lies in
    # its file, without another place for it in each run, and what its training compiled is not compiled beside it.
    heap='-Xmx1g -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=10 -XX:-UsePerfData'
    heap="$heap -Djdk.reflect.useNativeAccessorOnly=true"
    heap="$heap -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -XX:-AOTReplayTraining"
elif [ -r /proc/meminfo ]; then
    # A quarter of the memory is for the heap. Of more than 120 GiB that would ask for long pointers, for which there
    # is no cache. The JVM finds the limit of a container or of a service (MemoryMax) by itself.
    read -r _ kib _ </proc/meminfo
    limit=max
    group=
    [ ! -r /proc/self/cgroup ] || group=$(sed -n 's/^0:://p' /proc/self/cgroup)
    group=/sys/fs/cgroup${group%/}
    while [ "$limit" = max ]; do
        [ ! -r "$group/memory.max" ] || read -r limit <"$group/memory.max"
        [ "$group" != /sys/fs/cgroup ] || break
        group=${group%/*}
    done
    if [ "$kib" -gt 125829120 ] && [ "$limit" = max ]; then
        heap=-Xmx30g
    fi
fi
if [ "$tool" = sm ]; then
    # Up to some thousand switches the second compiler takes more time than it saves; what is done for all of them is
    # done in one go, and worth compiling while the first ones are. New objects take no more memory than they need: the
    # kernel takes long to give it. What outlives a collection is of the subnet and stays: it is moved once
    # (docs/subnet-manager.md).
    early='-XX:Tier3InvocationThreshold=30 -XX:Tier3MinInvocationThreshold=20 -XX:Tier3CompileThreshold=200'
    early="$early -XX:Tier3BackEdgeThreshold=2000"
    heap="$heap -XX:TieredStopAtLevel=1 $early -Xmn64m -XX:MaxTenuringThreshold=0"
elif [ "$tool ${2:-}" = 'fabric route' ] && is_short 6000 "$@"; then
    # The same, up to a torus of 8,000 switches with a host each.
    heap="$heap -XX:TieredStopAtLevel=1"
elif [ "$tool ${2:-}" = 'fabric verify' ] && is_short 16000 "$@"; then
    # The same, up to the tables of some 200 switches.
    heap="$heap -XX:TieredStopAtLevel=1"
elif [ "$tool ${2:-}" = 'fabric whatif' ] && is_short 700 "$@" && is_one_by_one "$@"; then
    # The same, for the switches or the cables of 1,000 switches one by one.
    heap="$heap -XX:TieredStopAtLevel=1"
elif [ "$tool ${2:-}" = 'lab run' ] && are_few_seeds "$@" || [ "$tool ${2:-}" = 'lab replay' ]; then
    # The same, up to so many runs of a scenario.
    heap="$heap -XX:TieredStopAtLevel=1"
fi
case $tool in
    fabric | campaign | lnetctl) ;;
    *)
        # How methods are used that route a fabric says nothing about those that carry messages: compiled by it, these
        # would be a fifth slower. The subnet manager and lnetctl have one compiler, which would be busy with all that
        # was ever used while they start (docs/performance.md).
        heap="$heap -XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining"
        ;;
esac
case $tool in
    fabric | lab | campaign | demo)
        # They fill much memory in a short time (docs/performance.md).
        ! has_large_pages || heap="$heap -XX:+UseTransparentHugePages"
        ;;
esac
case $name in
    lnetd | lnetctl | lst) set -- "$name" "$@" ;;
esac
set -- @NATIVE@ -m org.railyard.cli/org.railyard.cli.Main "$@"
# One thread collects the little garbage there is; no reason for more. Another collector may be chosen. What it is told
# of each reference that is written stands close together, and threads that wrote it unasked would take the lines of
# the cache from each other.
case ${RAILYARD_JAVA_OPTS:-} in
    *-XX:+Use*GC*) ;;
    *) set -- -XX:+UseSerialGC -XX:+UseCondCardMark "$@" ;;
esac
# shellcheck disable=SC2086 # the options are meant to be split
exec "$home/runtime/bin/java" -XX:AOTCache="$cache" -Xlog:aot=off -Xlog:cds=off $heap ${RAILYARD_JAVA_OPTS:-} "$@"
