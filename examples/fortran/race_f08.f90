! race_f08: wildcard receives completed by MPI_Waitall, from Fortran with "use mpi_f08". (Not by MPI_Waitany: the
! mpi_f08 module of MPICH 4.0.2 counts its index from 0.)
!
!     mpirun -n 4 race_f08
program race_f08
  use mpi_f08
  implicit none
  integer, parameter :: numbers = 100, tag = 4, slots = 4
  integer :: rank, size

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  if (rank == 0) then
    call fold(numbers * (size - 1))
  else
    call send(rank)
  end if
  call MPI_Finalize()

contains

  subroutine send(me)
    integer, intent(in) :: me
    double precision :: number
    integer :: i
    do i = 1, numbers
      number = me + i / 1000.0d0
      call MPI_Send(number, 1, MPI_DOUBLE_PRECISION, 0, tag, MPI_COMM_WORLD)
    end do
  end subroutine send

  ! The messages come in rounds of `slots`, which divides their number.
  subroutine fold(messages)
    integer, intent(in) :: messages
    double precision, asynchronous :: number(slots)
    double precision :: answer
    type(MPI_Request) :: request(slots)
    type(MPI_Status) :: status(slots)
    integer :: round, slot

    answer = 0.0d0
    do round = 1, messages / slots
      do slot = 1, slots
        call MPI_Irecv(number(slot), 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, request(slot))
      end do
      call MPI_Waitall(slots, request, status)
      do slot = 1, slots
        answer = 0.99d0 * answer + number(slot) + status(slot)%MPI_SOURCE
      end do
    end do
    print '(a,f18.14)', 'answer = ', answer
  end subroutine fold
end program race_f08
