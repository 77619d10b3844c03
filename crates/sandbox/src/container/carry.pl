# Carries connections into a container, as the user 65534: offers itself at the gateway's socket, is told a port there, and hands
# on what comes. One offer is open at a time; the next is made as soon as it is taken. Goes on as long as the container.
use strict;
use warnings;
use Socket qw(:DEFAULT inet_pton pack_sockaddr_in pack_sockaddr_in6 INADDR_LOOPBACK);

my ($gateway, $patience) = @ARGV;
# Nothing is closed by becoming another program.
$^F = 1 << 20;
$SIG{CHLD} = 'IGNORE';

sub pause { select undef, undef, undef, shift }

# A server may listen on either.
sub reach {
    my $port = shift;
    my @places = ([AF_INET, pack_sockaddr_in($port, INADDR_LOOPBACK)],
        [AF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, '::1'))]);
    for my $place (@places) {
        socket my $try, $place->[0], SOCK_STREAM, 0 or next;
        return $try if connect $try, $place->[1];
    }
    return undef;
}

while (1) {
    socket my $offer, AF_UNIX, SOCK_STREAM, 0 or die "$!";
    unless (connect $offer, pack_sockaddr_un($gateway)) { pause(0.2); next }
    my $asked = '';
    vec($asked, fileno $offer, 1) = 1;
    # Another instance may listen there by now, which has taken the sandbox over.
    next unless select $asked, undef, undef, $patience;
    my $read = sysread $offer, my $port, 2;
    # Closed without a word: not at once again.
    unless (($read // 0) == 2) { pause(0.2); next }
    my $carrier = fork;
    next if !defined $carrier || $carrier > 0;
    my $server = reach(unpack 'n', $port);
    syswrite $offer, $server ? '+' : '-';
    exit unless $server;
    my ($one, $other) = map { 'FD:' . fileno($_) . ',shut-down' } $offer, $server;
    # When one side is done the other hears of it, and has a minute.
    exec 'socat', '-t', '60', $one, $other or exit;
}
